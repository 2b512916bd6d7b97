import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertServes, type Running, runGateway } from './running.ts'
import { raw, Wire } from './wire.ts'

const half = raw('POST', '/api/tools/tasks_create', {}, '{"repo":"app","title":"slow"}').slice(0, -10)

describe('a client that is slow or half gone', { timeout: 120_000 }, () => {
  let running: Running
  /** A gateway for requests that wait for their timeout: a busy machine may be late for others too. */
  let impatient: Running
  before(async () => {
    running = await runGateway()
    impatient = await runGateway({ GATEWAY_REQUEST_TIMEOUT_MS: '1500' })
  })
  after(() => Promise.all([running?.stop(), impatient?.stop()]))

  it('one that sends its headers byte by byte gets REQUEST_TIMEOUT and is hung up on', async () => {
    await drip(impatient.url, `GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ${'x'.repeat(5_000)}`)
  })

  it('one that sends its body byte by byte gets REQUEST_TIMEOUT, and nothing changes', async () => {
    const contents = impatient.contents()
    await drip(impatient.url, raw('POST', '/api/tools/tasks_create', {}, `{"repo":"app","title":"${'x'.repeat(5_000)}"}`), 200)
    assert.deepEqual(impatient.contents(), contents)
  })

  it('hundreds of half-open connections leave the others served, and are hung up on', async () => {
    const silent = await Promise.all(Array.from({ length: 200 }, () => Wire.open(impatient.url)))
    const stopped = await Promise.all(Array.from({ length: 200 }, () => Wire.open(impatient.url)))
    for (const wire of stopped) wire.send(half)
    for (let n = 0; n < 20; n++) await assertServes(impatient.url)
    await Promise.all(stopped.map((wire) => wire.closed))
    for (const wire of silent) wire.close()
  })

  it('hundreds that vanish in the middle of a request change nothing', async () => {
    const contents = running.contents()
    for (let n = 0; n < 300; n++) {
      const wire = await Wire.open(running.url)
      wire.socket.write(half, () => wire.socket.resetAndDestroy())
      await wire.closed
    }
    await assertServes(running.url)
    assert.deepEqual(running.contents(), contents)
  })

  it('one that asks and never reads is not waited for', async () => {
    const wire = await Wire.open(running.url)
    wire.socket.pause()
    const request = raw('POST', '/api/tools/tasks_list', {}, '{}').repeat(100)
    for (let n = 0; n < 200; n++) wire.send(request)
    for (let n = 0; n < 20; n++) await assertServes(running.url)
    const { heapUsed } = await running.gateway.memory()
    assert.ok(heapUsed < 256 * 2 ** 20, `${heapUsed} bytes of heap for a client that does not read`)
    wire.close()
  })
})

/** Sends `start` characters at once and the rest one by one until the gateway closes the connection. */
async function drip(url: string, text: string, start = 20): Promise<void> {
  const wire = await Wire.open(url)
  wire.send(text.slice(0, start))
  let at = start
  const dripping = setInterval(() => wire.send(text.charAt(at++)), 20)
  const [answer] = await wire.answers(1)
  await wire.closed
  clearInterval(dripping)
  assert.equal(answer?.status, 408)
  assert.equal(answer.body.code, 'REQUEST_TIMEOUT')
}
