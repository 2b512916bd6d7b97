import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { call, post, request } from '../../mcp/test/rpc.ts'
import { send } from './requests.ts'
import { transportFixture } from './transport-plugin.ts'

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [transportFixture().plugin], listen: true })
})
after(() => gateway.stop())

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }
const modern = (method: string, name: string, params: object, inHeader = name) =>
  post(gateway, request(method, { ...params, _meta: META }), {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    'mcp-name': encodeURIComponent(inHeader),
  })

/** Tools and routes that echo part of a long text: each error that names its input. */
const echoes: readonly [string, (text: string) => Promise<{ text: string }>][] = [
  [
    'an argument of the wrong type, over REST',
    (text) => send(`${gateway.url}/api/tools/transport_echo`, { body: { id: 'a', count: text } }),
  ],
  ['an argument in the query', (text) => send(`${gateway.url}/api/transport/echo/a?count=${encodeURIComponent(text)}`)],
  ['an unknown tool, over REST', (text) => send(`${gateway.url}/api/tools/${encodeURIComponent(text)}`, { body: {} })],
  ['an unknown tool, over MCP', (text) => post(gateway, call(text))],
  ['an unknown prompt', (text) => post(gateway, request('prompts/get', { name: text }))],
  ['an unknown resource', (text) => post(gateway, request('resources/read', { uri: `x://${text}` }))],
  [
    'a completion of nothing',
    (text) =>
      post(gateway, request('completion/complete', { ref: { type: 'ref/prompt', name: text }, argument: { name: 'a', value: '' } })),
  ],
  ['an unknown method', (text) => post(gateway, request(text))],
  [
    'an unknown method without a handshake',
    (text) => post(gateway, request(text, { _meta: META }), { 'mcp-protocol-version': '2026-07-28' }),
  ],
  ['parameters that are none', (text) => post(gateway, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: text })],
  [
    'another version',
    (text) => post(gateway, request('tools/list', { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': text } })),
  ],
  ['a name that is not the header’s', (text) => modern('tools/call', text, { name: text, arguments: {} }, 'other')],
  ['an unknown task', (text) => modern('tasks/get', text, { taskId: text })],
  ['an unknown family', (text) => send(`${gateway.url}/mcp?families=${encodeURIComponent(text)}`, { body: request('tools/list') })],
]

for (const [what, ask] of echoes) {
  test(`${what}: what comes back of it ends in whole characters`, async () => {
    // Wherever the cut is, it falls between the halves of a character for one of the two.
    for (const before of ['', 'x']) {
      const { text } = await ask(before + '🚀'.repeat(150))
      // JSON's notation of half a surrogate pair; an escaped backslash is not one.
      assert.doesNotMatch(text.replaceAll('\\\\', ''), /\\u[dD][89a-fA-F]/)
    }
  })
}
