import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import tenants from '@gateway/plugin-tenants'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { accepts, freePort } from '../support/ports.ts'
import { needing, program } from '../support/programs.ts'

const LOCAL = 'the-local-token-of-the-tests'
type Headers = Record<string, string>

const start = (env: Headers = {}): Promise<TestGateway> =>
  startTestGateway({ plugins: [tenants], listen: true, env: { GATEWAY_LOCAL_TOKEN: LOCAL, ...env } })

/** Returns the caller's identity for the gateway: a role, or the status of the refusal. `from` is the caller's address. */
async function who(port: number, headers: Headers = {}, { path = '/api/auth/whoami', from = '127.0.0.1' } = {}): Promise<string | number> {
  const sent = request({ host: '127.0.0.1', port, path, headers, localAddress: from, agent: false }).end()
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  return response.statusCode === 200 ? (JSON.parse(text).role ?? 200) : response.statusCode
}

const portOf = (gateway: TestGateway): number => Number(new URL(gateway.url).port)

/** Starts Debian's nginx in front of a gateway: `location` is added next to `proxy_pass`. */
async function nginx(gateway: TestGateway, location = ''): Promise<{ port: number } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-nginx-'))
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')
  const server = `server { listen 127.0.0.1:${port}; location / { proxy_pass ${gateway.url}; ${location} } }`
  const config = `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temporary} ${server} }`
  await writeFile(join(folder, 'nginx.conf'), config)
  const process = spawn(program('nginx') as string, ['-p', folder, '-e', 'stderr', '-c', 'nginx.conf'], { stdio: 'ignore' })
  while (!(await accepts(port))) assert.equal(process.exitCode, null, 'nginx runs')
  return {
    port,
    async [Symbol.asyncDispose]() {
      const ended = once(process, 'exit')
      process.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

/** Forwards bytes, like a tunnel or a proxy of connections: the forwarded data does not reveal it. */
async function forwarder(gateway: TestGateway): Promise<{ port: number } & AsyncDisposable> {
  const server = createServer((near) => {
    const far = connect(portOf(gateway), '127.0.0.1')
    near.pipe(far).pipe(near)
    const disconnect = (): void => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('error', disconnect)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}

const stock = needing('nginx', 'behind nginx as it is installed, and with no setting of the gateway, nobody is the operator')
test(stock.name, { skip: stock.skip }, async () => {
  await using gateway = await start()
  await using proxy = await nginx(gateway)
  assert.equal(await who(portOf(gateway)), 'operator', 'straight')
  for (const host of ['gateway.example', '127.0.0.1', 'localhost']) assert.equal(await who(proxy.port, { host }), 401, host)
  assert.equal(await who(proxy.port, { host: 'gateway.example', authorization: `Bearer ${LOCAL}` }), 'operator')
  assert.equal(await who(proxy.port, { host: 'gateway.example' }, { path: '/health' }), 200)
})

const told = needing('nginx', 'nginx that says whom it speaks for, and is trusted to, names the caller and makes nobody local')
test(told.name, { skip: told.skip }, async () => {
  const env = { GATEWAY_ALLOWED_HOSTS: 'gateway.example', GATEWAY_TRUSTED_PROXIES: '127.0.0.1', GATEWAY_LOOPBACK_TRUST: '1' }
  await using gateway = await start(env)
  const forward = 'proxy_http_version 1.1; proxy_set_header Host $host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;'
  await using proxy = await nginx(gateway, forward)
  for (const host of ['gateway.example', 'localhost']) assert.equal(await who(proxy.port, { host }), 401, host)
  const forged = { host: 'gateway.example', 'x-forwarded-for': '198.51.100.1', 'x-api-key': 'wrong' }
  assert.equal(await who(proxy.port, forged, { from: '127.0.0.2' }), 401)
  const refused = gateway.logs.filter(({ event }) => event === 'auth.refused')
  assert.deepEqual(
    refused.map(({ address, means }) => ({ address, means })),
    [{ address: '127.0.0.2', means: 'api-key' }],
  )
})

test('through a forwarder of bytes nobody is local once the gateway has a name for others, whatever Host says', async () => {
  await using gateway = await start({ GATEWAY_ALLOWED_HOSTS: 'gateway.example' })
  await using forced = await start({ GATEWAY_ALLOWED_HOSTS: 'gateway.example', GATEWAY_LOOPBACK_TRUST: '1' })
  await using unnamed = await start()
  await using toGateway = await forwarder(gateway)
  await using toForced = await forwarder(forced)
  await using toUnnamed = await forwarder(unnamed)
  for (const host of ['gateway.example', 'localhost', '127.0.0.1']) assert.equal(await who(toGateway.port, { host }), 401, host)
  assert.equal(await who(toGateway.port, { host: 'gateway.example', 'x-gateway-local-token': LOCAL }), 'operator')
  assert.equal(await who(toForced.port, { host: 'gateway.example' }), 401, 'under a name that others use')
  assert.equal(await who(toUnnamed.port, { host: 'gateway.example' }), 403, 'under a name that is none')
})
