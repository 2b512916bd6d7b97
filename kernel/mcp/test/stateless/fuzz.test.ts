import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import fc from 'fast-check'
import { send } from '../../../http/test/requests.ts'
import { ALL, call, headersOf, SECRET, session, VERSION } from './requests.ts'
import { statelessFixture } from './stateless-plugin.ts'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [statelessFixture().plugin], listen: true, env: { GATEWAY_JWT_SECRET: SECRET } })
})
after(() => gateway.stop())

const OWN = 'io.modelcontextprotocol/'
const anything = fc.jsonValue({ maxDepth: 2 })
const often = <T>(likely: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: likely as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: anything })
const meta = fc.record(
  {
    [`${OWN}protocolVersion`]: often(fc.constant(VERSION)),
    [`${OWN}clientCapabilities`]: often(fc.constantFrom({}, ALL)),
    [`${OWN}logLevel`]: often(fc.constantFrom('debug', 'error')),
    progressToken: often(fc.integer()),
  },
  { requiredKeys: [`${OWN}protocolVersion`] },
)
const answer = often(fc.constantFrom({ action: 'accept', content: { name: 'A' } }, { action: 'decline' }))
const params = fc.record(
  {
    _meta: often(meta),
    name: often(fc.constantFrom('era_echo', 'era_greet', 'era_many', 'era_tell', 'era_prompt', 'era_plain', '__proto__')),
    uri: often(fc.constantFrom('era://readme', 'era://secret/1')),
    taskId: often(fc.constantFrom('task-none', '')),
    arguments: often(fc.constantFrom({}, { region: 'x' }, { id: 'y' }, null)),
    inputResponses: often(fc.dictionary(fc.constantFrom('user_name', 'who', 'reader'), answer)),
    requestState: fc.oneof(fc.base64String(), anything),
    cursor: anything,
  },
  { requiredKeys: ['_meta'] },
)
const methods = [
  'server/discover',
  'tools/list',
  'tools/call',
  'prompts/get',
  'resources/read',
  'tasks/get',
  'tasks/update',
  'x',
  'initialize',
]
const message = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', 1),
    id: often(fc.integer()),
    method: often(fc.constantFrom(...methods)),
    params: often(params),
  },
  { requiredKeys: ['method', 'params'] },
)

test('whatever a request of this era says, it gets the answer of its own id, and none that is a fault of ours', async () => {
  const header = fc.oneof(fc.string({ unit: fc.constantFrom(...'=?base64SGVsbG8 /x') }), fc.constantFrom('era_echo', '=?base64??='))
  await fc.assert(
    fc.asyncProperty(message, fc.option(header), async (body, name) => {
      const { method, params } = body as { method: string; params: Record<string, unknown> }
      const fit = typeof method === 'string' && /^[\x21-\x7e]+$/.test(method) ? method : 'tools/list'
      const headers = headersOf({ method: fit, params: params ?? {} })
      if (name !== null) headers['mcp-name'] = name
      else if (headers['mcp-name'] !== undefined) headers['mcp-name'] = `=?base64?${Buffer.from(headers['mcp-name']).toString('base64')}?=`
      const { status, text, json } = await send(`${gateway.url}/mcp`, { body, headers })
      assert.ok([200, 202, 400, 404].includes(status), `${status} for ${JSON.stringify(body)}`)
      if (status === 202) return
      const said = json ?? JSON.parse(text.slice(text.lastIndexOf('data: ') + 6))
      assert.equal('result' in said, !('error' in said))
      assert.notEqual(said.error?.code, -32603, text)
      // A null id belongs to the handshake only: an `initialize` that names no version.
      if (said.id === null) assert.equal(method, 'initialize')
      // JSON has no minus zero.
      else if ('id' in said) assert.deepEqual([said.id], JSON.parse(JSON.stringify([(body as { id?: unknown }).id])))
    }),
    { numRuns: 500 },
  )
  assert.equal((await call(gateway, 'era_echo')).status, 200)
})

test('equal ids of two tenants at once never meet', async () => {
  const tenants = [await session(gateway, 'acme'), await session(gateway, 'other')]
  const capabilities = { elicitation: {} }
  const answers = await Promise.all(
    Array.from({ length: 30 }, async (_, i) => {
      const headers = tenants[i % 2] as Record<string, string>
      const first = await call(gateway, 'era_greet', { greeting: `g${i}` }, { headers, capabilities, id: 'same' })
      const { requestState } = first.json.result
      const inputResponses = { user_name: { action: 'accept', content: { name: `n${i}` } } }
      const params = { requestState, inputResponses }
      const { json } = await call(gateway, 'era_greet', { greeting: `g${i}` }, { headers, capabilities, id: 'same', params })
      return json.result.structuredContent.text
    }),
  )
  assert.deepEqual(
    answers,
    answers.map((_, i) => `g${i}, n${i}!`),
  )
})
