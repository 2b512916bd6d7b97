import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { createServer, type Server } from 'node:tls'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { authority, type Certificate, selfSigned } from '../../plugins/plugin-tools/test/certificates.ts'

const program = join(import.meta.dirname, '..', '..', 'bin', 'gateway.js')
const INITIALIZE = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }

describe('a service with a certificate that is not trusted', () => {
  const own = selfSigned('localhost')
  const proxies: Server[] = []
  let gateway: TestGateway
  let folder: string
  let url: string
  before(async () => {
    gateway = await startTestGateway({ plugins: [], listen: true })
    folder = await mkdtemp(join(tmpdir(), 'gateway-certificate-'))
    url = await proxied(own)
    await writeFile(join(folder, 'own.pem'), own.cert)
  })
  after(async () => {
    for (const proxy of proxies) proxy.close()
    await gateway.stop()
    await rm(folder, { recursive: true })
  })

  /** Starts a TLS-terminating proxy in front of the gateway. */
  async function proxied(certificate: Certificate): Promise<string> {
    const { port } = new URL(gateway.url)
    const proxy = createServer(certificate, (socket) => {
      const inner = connect(Number(port), '127.0.0.1')
      pipeline(socket, inner, socket, () => {})
    })
    proxy.on('tlsClientError', () => {})
    proxies.push(proxy.listen(0, 'localhost'))
    await once(proxy, 'listening')
    return `https://localhost:${(proxy.address() as AddressInfo).port}`
  }

  async function command(argv: readonly string[], env: Record<string, string> = {}, input = '') {
    const child = spawn(process.execPath, [program, ...argv], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, GATEWAY_URL: url, ...env },
    })
    child.stdin.end(input)
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { code, stdout, stderr }
  }

  const named =
    /^gateway: https:\/\/localhost:\d+ has a self-signed certificate \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. If you trust it, set NODE_EXTRA_CA_CERTS to the path/m

  for (const argv of [['status'], ['dashboard'], ['tools'], ['call', 'x'], ['login', '--key', 'gw_live_x']])
    it(`gateway ${argv[0]} names a self-signed certificate, and NODE_EXTRA_CA_CERTS as the way out`, async () => {
      const { code, stderr } = await command(argv)
      assert.equal(code, 3)
      assert.match(stderr, named)
    })

  it('gateway connect names the certificate as the part that failed', async () => {
    const { code, stderr } = await command(['connect', 'cursor'])
    assert.equal(code, 3)
    assert.match(stderr, /the connection test failed at the certificate: https:\/\/localhost:\d+ has a self-signed certificate/)
  })

  it('the bridge answers its client with it at once and says it on standard error, and does not wait for another certificate', async () => {
    const request = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE })}\n`
    const { stdout, stderr } = await command(['mcp', '--wait', '3600'], {}, request)
    assert.match(JSON.parse(stdout).error.message, /has a self-signed certificate .* NODE_EXTRA_CA_CERTS/)
    assert.match(stderr, /^gateway mcp: https:\S+ has a self-signed certificate/)
  })

  it('a certificate of an unknown authority is named as such, with the same way out', async () => {
    const { stderr } = await command(['status', '--url', await proxied(authority().issue({ host: 'localhost' }))])
    assert.match(
      stderr,
      /has a certificate of an authority that is not known here \(UNABLE_\w+\)\. If you trust it, set NODE_EXTRA_CA_CERTS/,
    )
  })

  it('an expired certificate, and one for another name, are said to be that', async () => {
    const trusted = authority()
    await writeFile(join(folder, 'authority.pem'), trusted.cert)
    const env = { NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') }
    const expired = trusted.issue({ host: 'localhost', from: new Date(0), until: new Date(1) })
    const [late, other] = await Promise.all([
      command(['status', '--url', await proxied(expired)], env),
      command(['status', '--url', await proxied(trusted.issue({ host: 'other.example' }))], env),
    ])
    assert.match(late.stderr, /has a certificate that is not valid at this time \(CERT_HAS_EXPIRED\)/)
    assert.match(other.stderr, /has a certificate for another name /)
  })

  it('https for a service without TLS is said to be that', async () => {
    const { stderr } = await command(['status', '--url', gateway.url.replace('http:', 'https:')])
    assert.match(stderr, /does not speak TLS \(\w+\)\. Write http:\/\//)
  })

  it('with NODE_EXTRA_CA_CERTS every one of them gets through', async () => {
    const env = { NODE_EXTRA_CA_CERTS: join(folder, 'own.pem') }
    const request = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE })}\n`
    const [status, bridge] = await Promise.all([command(['status'], env), command(['mcp'], env, request)])
    assert.equal(status.code, 0, status.stderr)
    assert.equal(JSON.parse(bridge.stdout.split('\n')[0] as string).id, 1)
    assert.doesNotMatch(bridge.stdout, /certificate/)
  })
})
