import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import * as modern from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { freePort } from '../support/ports.ts'
import { ClientProvider } from './client-provider.ts'

let gateway: TestGateway
let apiKey: string
before(async () => {
  const port = await freePort()
  gateway = await startTestGateway({
    plugins: standardPlugins,
    listen: true,
    env: {
      GATEWAY_PORT: String(port),
      GATEWAY_PUBLIC_URL: `http://127.0.0.1:${port}`,
      GATEWAY_OAUTH_REGISTRATION: 'true',
      GATEWAY_LOOPBACK_TRUST: '0',
    },
  })
  await gateway.tenants.create({ name: 'acme', plan: 'team', tenantId: 'acme' })
  apiKey = (await gateway.tenants.issueKey('acme', { role: 'owner', environment: 'live' })).apiKey
})
after(() => gateway.stop())

const REDIRECT = 'http://127.0.0.1:1/callback'

/** A person who consents, as the page does: its key signs it in, and the page's own request decides. */
async function consented(authorization: URL | undefined): Promise<URLSearchParams> {
  assert.equal(authorization?.origin, gateway.url)
  assert.equal((await fetch(authorization)).status, 200)
  const begun = await fetch(`${gateway.url}/api/sign-in`, { method: 'POST', headers: { 'x-api-key': apiKey } })
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] as string
  const response = await fetch(`${gateway.url}/api/oauth/consents`, {
    method: 'POST',
    headers: { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify({ query: authorization.search.slice(1), scopes: ['read', 'work'] }),
  })
  return new URL(((await response.json()) as { redirectTo: string }).redirectTo).searchParams
}

for (const view of ['/mcp', '/mcp/core', '/core/mcp', '/mcp/t/tasks']) {
  test(`the official client of version 1 connects to ${view} with the address alone`, async () => {
    const provider = new ClientProvider(REDIRECT)
    const open = () => new Transport1(new URL(gateway.url + view), { authProvider: provider as never })
    const first = open()
    await assert.rejects(new Client1({ name: 'test', version: '1' }).connect(first as never), /Unauthorized/)
    await first.finishAuth((await consented(provider.authorization)).get('code') as string)
    const client = new Client1({ name: 'test', version: '1' })
    await client.connect(open() as never)
    assert.ok((await client.listTools()).tools.length > 0)
    await client.close()
  })
}

for (const mode of ['legacy', { pin: '2026-07-28' }] as modern.VersionNegotiationMode[]) {
  test(`the official client of version 2 connects with the address alone, in the era ${JSON.stringify(mode)}`, async () => {
    const provider = new ClientProvider(REDIRECT)
    const open = () => new modern.StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { authProvider: provider as never })
    const newClient = () => new modern.Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    const first = open()
    await assert.rejects(newClient().connect(first), /Unauthorized/i)
    await first.finishAuth(await consented(provider.authorization))
    const client = newClient()
    await client.connect(open())
    assert.ok((await client.listTools()).tools.length > 0)
    await client.close()
  })
}

test('clients that know OAuth and have a key in a header use the key, and nobody is asked to consent', async () => {
  const [one, two] = [new ClientProvider(REDIRECT), new ClientProvider(REDIRECT)]
  const requestInit = { headers: { 'x-api-key': apiKey } }
  const first = new Client1({ name: 'test', version: '1' })
  await first.connect(new Transport1(new URL(`${gateway.url}/mcp`), { authProvider: one as never, requestInit }) as never)
  const second = new modern.Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await second.connect(new modern.StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { authProvider: two as never, requestInit }))
  for (const client of [first, second]) {
    assert.ok((await client.listTools()).tools.length > 0)
    await client.close()
  }
  assert.deepEqual([one.authorization, two.authorization], [undefined, undefined])
})

test('a client that drops its key because it found OAuth is led to consent, and a wrong key is not', async () => {
  const dropped = new ClientProvider(REDIRECT)
  const without = new modern.StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { authProvider: dropped as never })
  await assert.rejects(new modern.Client({ name: 'test', version: '1' }).connect(without), /Unauthorized/i)
  assert.equal(dropped.authorization?.pathname, '/oauth/authorize')
  const response = await fetch(`${gateway.url}/mcp`, { method: 'POST', headers: { 'x-api-key': `${apiKey}x` }, body: '{}' })
  assert.deepEqual([response.status, response.headers.get('www-authenticate')], [401, 'Bearer realm="gateway"'])
})
