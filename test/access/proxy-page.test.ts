/** The proxy examples in docs/operations.md, as printed, in front of real gateways. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { root } from '../../scripts/workspaces.mjs'
import { accepts, freePort } from '../support/ports.ts'
import { needing, program } from '../support/programs.ts'

const page = await readFile(join(root, 'docs/operations.md'), 'utf8')
const LOCAL = 'the-local-token-of-the-tests'

function block(language: string, line: string): string {
  const all = [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, body = '']) => body)
  const found = all.find((body) => body.includes(line))
  assert.ok(found, `${language}: ${line}`)
  return found
}

/** Starts a proxy on this machine and waits until it accepts connections. */
async function running(name: string, args: readonly string[], port: number, folder: string): Promise<AsyncDisposable> {
  const child = spawn(program(name) as string, args, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  while (!(await accepts(port))) assert.equal(child.exitCode, null, said)
  return {
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Starts nginx with the given content of `http`, listening on this port. */
async function nginx(port: number, http: string, folder: string): Promise<AsyncDisposable> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temporary}\n${http}\n}`,
  )
  return running('nginx', ['-p', folder, '-e', 'stderr', '-c', 'nginx.conf'], port, folder)
}

async function temporary(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'gateway-proxy-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

interface Certificate {
  readonly certificate: string
  readonly key: string
}

/** Issues a certificate for the name that the page gives the gateway. */
async function certificateIn(folder: string): Promise<Certificate> {
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=gateway.example', '-addext', 'subjectAltName=DNS:gateway.example']
  const files = ['-keyout', key, '-out', certificate]
  await promisify(execFile)('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...files, ...subject])
  return { certificate, key }
}

/** Tests a gateway and a proxy that are configured as the page says: the caller's identity, and that streams are not buffered. */
async function servedBy(
  proxy: (of: Certificate & { url: string; port: number; folder: string }) => Promise<AsyncDisposable>,
): Promise<void> {
  const { GATEWAY_LOCAL_TOKEN: _own, ...exported } = Object.fromEntries(
    [...block('sh', 'export GATEWAY_TRUSTED_PROXIES').matchAll(/^export (\w+)=(\S+)/gm)].map(([, name = '', value = '']) => [name, value]),
  )
  await using gateway = await startTestGateway({ plugins: standardPlugins, listen: true, env: { ...exported, GATEWAY_LOCAL_TOKEN: LOCAL } })
  await using folder = await temporary()
  const { certificate, key } = await certificateIn(folder.path)
  const port = await freePort()
  await using _proxy = await proxy({ certificate, key, url: gateway.url, port, folder: folder.path })
  const ca = await readFile(certificate)

  const send = async (path: string, headers: Record<string, string> = {}, body?: object) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      // An address that belongs to no proxy.
      localAddress: '127.0.0.2',
      path,
      ca,
      servername: 'gateway.example',
      method: body ? 'POST' : 'GET',
      headers: { host: 'gateway.example', ...(body && { 'content-type': 'application/json' }), ...headers },
      agent: false,
    })
    sent.end(body && JSON.stringify(body))
    const [response] = await once(sent, 'response')
    return { response, status: response.statusCode as number }
  }
  const known = { authorization: `Bearer ${LOCAL}`, accept: 'application/json, text/event-stream' }
  assert.equal((await send('/health')).status, 200)
  assert.equal((await send('/api/tools')).status, 401)
  assert.doesNotMatch(await text((await send('/api/auth/whoami', { host: 'localhost' })).response), /operator/)
  assert.equal((await send('/api/tools', known)).status, 200)
  assert.equal((await send('/api/tools', { 'x-api-key': 'wrong', 'x-forwarded-for': '198.51.100.1' })).status, 401)
  const refused = gateway.logs.filter(({ event }) => event === 'auth.refused')
  assert.deepEqual(
    refused.map(({ address }) => address),
    ['127.0.0.2'],
  )

  const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const opened = await send('/mcp', known, { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize })
  assert.equal(opened.status, 200)
  const session = { ...known, 'mcp-session-id': String(opened.response.headers['mcp-session-id']) }
  const stream = await send('/mcp', { ...session, accept: 'text/event-stream' })
  assert.equal(stream.response.headers['content-type'], 'text/event-stream')
  stream.response.destroy()
}

const withoutOpenssl = program('openssl') === undefined

const tls = needing('nginx', 'the nginx of the page serves TLS under the name, makes nobody local and lets streams through as they come')
test(tls.name, { skip: tls.skip || withoutOpenssl }, () =>
  servedBy(({ certificate, key, url, port, folder }) => {
    const server = block('nginx', 'ssl_certificate')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('http://127.0.0.1:7411', url)
      .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
    return nginx(port, server, folder)
  }),
)

const caddied = needing('caddy', 'the Caddy of the page does the same')
test(caddied.name, { skip: caddied.skip || withoutOpenssl }, () =>
  servedBy(async ({ certificate, key, url, port, folder }) => {
    // No authority would certify this name, so the certificate is given, and the ports are free ones.
    const site = block('caddyfile', 'reverse_proxy')
      .replace('gateway.example {', `https://gateway.example:${port} {\n  bind 127.0.0.1\n  tls ${certificate} ${key}`)
      .replace('127.0.0.1:7411', new URL(url).host)
    await writeFile(join(folder, 'Caddyfile'), `{\n  admin off\n  auto_https disable_redirects\n}\n${site}`)
    return running('caddy', ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'], port, folder)
  }),
)

const several = needing('nginx', 'the balancer of the page sends a session to one node, and what has none to all')
test(several.name, { skip: several.skip }, async () => {
  const nodes = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const server = createServer((_request, response) => response.end(name)).listen(0, '127.0.0.1')
      await once(server, 'listening')
      return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}` }
    }),
  )
  await using folder = await temporary()
  const port = await freePort()
  const [first = '', second = ''] = nodes.map(({ address }) => address)
  const upstream = block('nginx', 'upstream').replace('10.0.0.11:7411', first).replace('10.0.0.12:7411', second)
  try {
    await using _proxy = await nginx(
      port,
      `${upstream} server { listen 127.0.0.1:${port}; location / { proxy_pass http://gateway; } }`,
      folder.path,
    )
    const ask = async (headers: Record<string, string>): Promise<string> =>
      await (await fetch(`http://127.0.0.1:${port}/mcp`, { headers })).text()
    const answers = async (headersOf: (index: number) => Record<string, string>): Promise<Set<string>> => {
      const found = new Set<string>()
      for (let index = 0; index < 40; index++) found.add(await ask(headersOf(index)))
      return found
    }
    assert.equal((await answers(() => ({ 'mcp-session-id': 'abc' }))).size, 1)
    assert.equal((await answers((index) => ({ 'mcp-session-id': `s-${index}` }))).size, 2)
    assert.equal((await answers(() => ({}))).size, 2)
  } finally {
    for (const { server } of nodes) server.close()
  }
})
