import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'

const ring = defineTool({
  name: 'ring',
  description: 'Does nothing. Returns an empty object.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object({}),
  handle: async () => ({}),
})
const plugin = definePlugin({ id: 'ring', sdk: '^1.0.0', description: 'One tool.', tools: [ring] })

test('over REST and MCP, more calls than a key may make in a minute are refused with 429 and Retry-After, and the operator’s are not', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin], env: { GATEWAY_CALLS_PER_MINUTE_PER_KEY: '2' } })
  await gateway.tenants.create({ name: 'Acme', plan: 'team', tenantId: 'acme' })
  const keyOf = async () => (await gateway.tenants.issueKey('acme', { role: 'member', environment: 'live' })).apiKey
  const [rest, mcp] = [await keyOf(), await keyOf()]
  const overRest = (headers: Record<string, string>) => gateway.inject({ method: 'POST', url: '/api/tools/ring', headers, body: {} })
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ring', arguments: {} } }
  const overMcp = (body: unknown = call) =>
    gateway.inject({ method: 'POST', url: '/mcp', headers: { 'x-api-key': mcp, accept: 'application/json, text/event-stream' }, body })

  for (let n = 0; n < 2; n++) assert.deepEqual([(await overRest({ 'x-api-key': rest })).status, (await overMcp()).status], [200, 200])
  const [one, other] = [await overRest({ 'x-api-key': rest }), await overMcp()]
  assert.deepEqual([one.status, one.json().code, one.headers['retry-after']], [429, 'RATE_LIMITED', '30'])
  assert.deepEqual([other.status, other.json().error.data.code, other.headers['retry-after']], [429, 'RATE_LIMITED', '30'])
  gateway.clock.advance(30)
  assert.equal((await overRest({ 'x-api-key': rest })).status, 200)
  // Each of several calls in one message counts.
  const answers = (await overMcp([call, { ...call, id: 2 }])).json() as {
    result: { isError?: boolean; structuredContent: { code?: string } }
  }[]
  assert.deepEqual(
    answers.map(({ result }) => result.structuredContent.code),
    [undefined, 'RATE_LIMITED'],
  )
  for (let n = 0; n < 5; n++) assert.equal((await overRest({})).status, 200)
})
