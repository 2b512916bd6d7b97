import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { loadSettings } from '@gateway/settings'
import { pino } from 'pino'
import type { BootedGateway } from '../../core/src/boot/boot.ts'
import type { Gateway } from '../../core/src/gateway.ts'
import { boot } from '../../defaults/src/boot.ts'
import { type Served, serve } from '../src/serve.ts'
import { heard, open, send } from './requests.ts'
import { type TransportFixture, transportFixture } from './transport-plugin.ts'

/** Listening beyond the loopback requires some credential. */
const TOKEN = 'a-token-long-enough-for-the-settings'

let dataDir: string
let gateway: BootedGateway
const transport: TransportFixture = transportFixture()
const start = async (env: Record<string, string>): Promise<BootedGateway> => {
  const settings = loadSettings({ env: { GATEWAY_PORT: '0', ...env, GATEWAY_DATA_DIR: dataDir }, cwd: dataDir })
  return { ...gateway, settings }
}
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gateway-serve-'))
  const settings = loadSettings({ env: { GATEWAY_PORT: '0', GATEWAY_DATA_DIR: dataDir }, cwd: dataDir })
  gateway = await boot({ plugins: [transport.plugin], settings, log: pino({ level: 'silent' }), env: {} })
})
after(async () => {
  await gateway.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test('it listens where the settings say, and names a free port it was given', async () => {
  const served = await serve(gateway)
  assert.match(served.url, /^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
  assert.equal((await send(`${served.url}/health`)).status, 200)
  await served.close()
})

test('an address of everywhere is named as the loopback', async () => {
  const served = await serve(await start({ GATEWAY_HOST: '0.0.0.0', GATEWAY_LOCAL_TOKEN: TOKEN }))
  assert.match(served.url, /^http:\/\/127\.0\.0\.1:/)
  assert.equal((await send(`${served.url}/health`)).status, 200)
  await served.close()
})

test('a taken port and a foreign address are refused by name', async () => {
  const served = await serve(gateway)
  await assert.rejects(serve(await start({ GATEWAY_PORT: new URL(served.url).port })), /127\.0\.0\.1:\d+ is taken.*GATEWAY_PORT/)
  await assert.rejects(
    serve(await start({ GATEWAY_HOST: '192.0.2.1', GATEWAY_LOCAL_TOKEN: TOKEN })),
    /192\.0\.2\.1 is no address.*GATEWAY_HOST/,
  )
  await served.close()
})

test('without listening, injected requests are served', async () => {
  const served = await serve(gateway, { listen: false })
  assert.equal(served.url, '')
  const { status, json } = await served.inject({ method: 'POST', url: '/api/tools/transport_ask', body: { asked: 1 } })
  assert.deepEqual([status, json()], [200, { given: 1, level: 'low' }])
  await served.close()
})

test('closing answers what runs, refuses what comes after it, and hangs up idle connections', async () => {
  const served = await serve(gateway)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  await new Promise<void>((resolve) => get(`${served.url}/health`, { agent }, (response) => response.resume().on('end', resolve)))
  const mute = open(served.url)
  await new Promise((resolve) => mute.once('connect', resolve))
  const hungUp = heard(mute)
  const running = send(`${served.url}/api/transport/wait`, { body: {} })
  await transport.arrived(1)
  const closing = served.close()
  const late = await send(`${served.url}/api/tools/transport_ask`, { body: { asked: 1 } })
  assert.deepEqual([late.status, late.json.code, late.headers.get('connection')], [503, 'UNAVAILABLE', 'close'])
  assert.ok(Number(late.headers.get('retry-after')) >= 1)
  transport.release()
  assert.deepEqual((await running).json, { why: 'released' })
  await closing
  await assert.rejects(fetch(`${served.url}/health`))
  await hungUp
  agent.destroy()
})

test('a request that follows a running one after the stop began is refused with UNAVAILABLE', async () => {
  let arrivals = 0
  let second = (): void => {}
  const secondArrived = new Promise<void>((resolve) => (second = resolve))
  const { access } = gateway
  const watched: Gateway = {
    ...gateway,
    access: {
      ...access,
      identify(...asked) {
        if (++arrivals === 2) second()
        return access.identify(...asked)
      },
    },
  }
  const served: Served = await serve(watched)
  const socket = open(served.url)
  const all = heard(socket)
  socket.write('POST /api/transport/wait HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n')
  await transport.arrived(1)
  const closing = served.close()
  socket.write('GET /api/tools HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await secondArrived
  transport.release()
  assert.match(await all, /^HTTP\/1\.1 200[^]*released[^]*HTTP\/1\.1 503[^]*UNAVAILABLE/)
  await closing
})

test('what does not end within the limit is cut off', async () => {
  const served = await serve(await start({ GATEWAY_STOP_TIMEOUT_MS: '100' }))
  const running = send(`${served.url}/api/transport/wait`, { body: {} })
  await transport.arrived(1)
  const [cut] = await Promise.allSettled([running, served.close()])
  assert.equal(cut.status, 'rejected')
  await transport.gone()
})
