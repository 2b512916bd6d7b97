import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { start, type TestGateway } from './support.ts'

let gateway: TestGateway
before(async () => {
  gateway = await start()
})
after(() => gateway.stop())

const HALF = {
  repo: 'web\ud83d',
  session: '\udc00s',
  tool: 'Bash',
  target: `run ${'x'.repeat(295)}\ud83d`,
  files: ['a\ud800.ts', 'b\u0000.ts'],
}
const kept = async () => JSON.stringify(await gateway.documents('local'))

test('an observation with half of a surrogate pair is kept with U+FFFD in its place, by whichever way it comes', async () => {
  assert.match((await gateway.call('brain_observe', HALF)).observationId, /^observation-/)
  const rest = await gateway.inject({ method: 'POST', url: '/api/tools/brain_observe', body: HALF })
  assert.equal(rest.status, 200, rest.body)
  const params = { name: 'brain_observe', arguments: HALF }
  const mcp = await gateway.inject({ method: 'POST', url: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } })
  assert.match(mcp.json().result?.structuredContent?.observationId ?? mcp.body, /^observation-/)
  const stored = await kept()
  assert.match(stored, /web\ufffd/)
  assert.match(stored, /a\ufffd\.ts/)
  assert.equal(/\p{Surrogate}/u.test(stored), false)
})

test('a step goes to a branch that exists, and one of another name is not found', async () => {
  await assert.rejects(gateway.call('brain_observe', { tool: 'Bash', branch: 'idea/none' }), { code: 'NOT_FOUND' })
  await gateway.call('brain_branch', { kind: 'idea', slug: 'some' })
  for (const branch of ['idea/some', 'main']) assert.match((await gateway.call('brain_observe', { tool: 'Bash', branch })).at, /^\d/)
  await assert.rejects(gateway.call('brain_observe', { tool: 'Bash', branch: 'idea/none' }), { code: 'NOT_FOUND' })
})
