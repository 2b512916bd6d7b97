import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { attentionSource, bootSection, closed, contribute, definePlugin, defineTool, Type } from '@gateway/sdk'
import type { TestGateway } from '@gateway/testing'
import { ask, flow, ISSUER, keyOf, start, tokensFor } from './support.ts'

const scoped = (name: string, capability: 'read' | 'configure' | 'operator') =>
  defineTool({
    name,
    description: 'Answers.',
    capability,
    effect: 'read',
    input: Type.Object({}, closed),
    output: Type.Object({ done: Type.Boolean() }, closed),
    async handle() {
      return { done: true }
    },
  })
const probe = definePlugin({
  id: 'probe',
  sdk: '^1.0.0',
  description: 'Tools of a test.',
  tools: [scoped('probe_read', 'read'), scoped('probe_configure', 'configure'), scoped('probe_operate', 'operator')],
  contributes: [
    contribute(attentionSource, {
      create: () => ({ kind: 'to-do', capability: 'work' as const, look: async () => ({ count: 1, items: [] }) }),
    }),
    contribute(bootSection, { create: () => ({ title: 'Plans', order: 1, render: async () => 'the plans of the tenant' }) }),
  ],
})

let gateway: TestGateway
before(async () => {
  gateway = await start({}, [probe])
})
after(() => gateway.stop())

const MCP = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const call = (name: string) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } })
const VIEWS = ['/mcp', '/mcp/core', '/mcp/t/tasks', '/core/mcp', '/sse']

test('a call without a credential is 401 with the metadata of its view and the scopes to begin with', async () => {
  for (const view of ['/mcp', '/mcp/core', '/mcp/t/tasks', '/core/mcp']) {
    const { status, headers } = await ask(gateway, 'POST', view, MCP, { jsonrpc: '2.0', id: 1, method: 'ping' })
    const expected = `Bearer realm="gateway", resource_metadata="${ISSUER}/.well-known/oauth-protected-resource${view}", scope="read work"`
    assert.deepEqual([status, headers['www-authenticate']], [401, expected])
  }
})

test('each view has metadata whose resource is its own address, without a credential', async () => {
  for (const view of VIEWS) {
    const { status, body } = await ask(gateway, 'GET', `/.well-known/oauth-protected-resource${view}`)
    const { resource, authorization_servers, scopes_supported } = JSON.parse(body)
    assert.deepEqual([status, resource, authorization_servers], [200, `${ISSUER}${view}`, [ISSUER]])
    assert.ok(scopes_supported.includes('work'))
  }
  assert.equal((await ask(gateway, 'GET', '/.well-known/oauth-protected-resource')).json().resource, `${ISSUER}/mcp`)
})

test('the metadata of the server names every endpoint that a client needs', async () => {
  const metadata = (await ask(gateway, 'GET', '/.well-known/oauth-authorization-server')).json()
  assert.equal(metadata.issuer, ISSUER)
  assert.deepEqual(metadata.code_challenge_methods_supported, ['S256'])
  assert.equal(metadata.client_id_metadata_document_supported, true)
  assert.equal(metadata.authorization_response_iss_parameter_supported, true)
  assert.equal(metadata.registration_endpoint, `${ISSUER}/oauth/register`)
})

test('a call beyond the scopes is 403 with the scopes to ask for, over MCP and REST', async () => {
  const { access_token: token } = await tokensFor(await flow(gateway))
  const headers = { ...MCP, authorization: `Bearer ${token}` }
  for (const [url, body] of [
    ['/mcp', call('probe_configure')],
    ['/api/tools/probe_configure', {}],
  ] as const) {
    const response = await ask(gateway, 'POST', url, headers, body)
    assert.equal(response.status, 403, response.body)
    assert.match(
      String(response.headers['www-authenticate']),
      /error="insufficient_scope", resource_metadata="[^"]+\/mcp", scope="read work configure"/,
    )
  }
  assert.equal((await ask(gateway, 'POST', '/api/tools/probe_read', headers, {})).status, 200)
})

test('a token without the scope read gets no data of the tenant beside the call path either', async () => {
  const billing = (await tokensFor(await flow(gateway), ['billing'])).access_token
  const reading = (await tokensFor(await flow(gateway), ['read'])).access_token
  const message = (method: string, params: object) => ({
    ...MCP,
    method: 'POST',
    url: '/mcp',
    body: { jsonrpc: '2.0', id: 1, method, params },
  })
  const requests = [
    { method: 'GET', url: '/api/attention' },
    { method: 'GET', url: '/api/dashboard/pages' },
    { method: 'GET', url: '/api/dashboard/events' },
    message('resources/subscribe', { uri: 'probe://state' }),
    message('subscriptions/listen', {}),
  ]
  for (const { method, url, body } of requests as { method: string; url: string; body?: object }[]) {
    const response = await ask(gateway, method, url, { ...MCP, authorization: `Bearer ${billing}` }, body)
    assert.equal(response.status, 403, `${url} ${response.body}`)
    assert.match(String(response.headers['www-authenticate']), /error="insufficient_scope", .*scope="billing read"/)
  }
  for (const url of ['/api/attention', '/api/dashboard/pages'])
    assert.equal((await ask(gateway, 'GET', url, { authorization: `Bearer ${reading}` })).status, 200)
  assert.equal((await ask(gateway, 'GET', '/api/tools', { authorization: `Bearer ${billing}` })).status, 200)
  for (const [token, expected] of [
    [billing, false],
    [reading, true],
  ] as const) {
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'probe', version: '1' } }
    const headers = { ...MCP, authorization: `Bearer ${token}` }
    const answer = await ask(gateway, 'POST', '/mcp', headers, { jsonrpc: '2.0', id: 0, method: 'initialize', params: hello })
    assert.equal(answer.json().result.instructions.includes('the plans of the tenant'), expected, answer.body)
  }
})

test('the attention queue of a token has what its scopes may act on, whatever its role is', async () => {
  for (const [scopes, count] of [
    [['read', 'billing'], 0],
    [['read', 'work'], 1],
  ] as const) {
    const { access_token: token } = await tokensFor(await flow(gateway), [...scopes])
    assert.equal((await ask(gateway, 'GET', '/api/attention', { authorization: `Bearer ${token}` })).json().count, count)
  }
})

test('a refusal of what only the operator may do asks for no scope', async () => {
  const { access_token: token } = await tokensFor(await flow(gateway), ['read', 'billing'])
  const response = await ask(gateway, 'POST', '/api/tools/probe_operate', { ...MCP, authorization: `Bearer ${token}` }, {})
  assert.deepEqual([response.status, response.json().code, response.headers['www-authenticate']], [403, 'FORBIDDEN', undefined])
})

test('a wrong key is not led to OAuth, and a right key works beside it', async () => {
  const { apiKey } = await keyOf(gateway)
  for (const headers of [{ 'x-api-key': `${apiKey}x` }, { authorization: 'Bearer gw_live_wrong' }]) {
    const response = await ask(gateway, 'POST', '/mcp', { ...MCP, ...headers }, call('probe_read'))
    assert.deepEqual([response.status, response.headers['www-authenticate']], [401, 'Bearer realm="gateway"'])
  }
  assert.equal((await ask(gateway, 'POST', '/api/tools/probe_configure', { ...MCP, 'x-api-key': apiKey }, {})).status, 200)
})

test('while OAuth is off, its paths are 404 without a credential, and a challenge names no metadata', async () => {
  for (const GATEWAY_PUBLIC_URL of ['http://gateway.example', 'http://10.0.0.1:8080']) {
    await using off = await start({ GATEWAY_PUBLIC_URL })
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server', '/oauth/authorize'])
      assert.equal((await ask(off, 'GET', path)).status, 404, path)
    const { headers } = await ask(off, 'POST', '/mcp', MCP, call('probe_read'))
    assert.equal(headers['www-authenticate'], 'Bearer realm="gateway"')
  }
})

test('a path below /.well-known that is not served is 404 without a credential', async () => {
  for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-protected-resource/other', '/.well-known/x'])
    assert.equal((await ask(gateway, 'GET', path)).status, 404, path)
})
