import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { closed, definePlugin, defineTool, Type, toolbox } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const said = Type.Object({ text: Type.String() })
const tool = {
  description: 'For tests.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ text: Type.String() }, closed),
  output: said,
  handle: async ({ text }: { text: string }) => ({ text }),
} as const
const plugin = definePlugin({
  id: 'repair',
  sdk: '^1.0.0',
  description: 'For tests.',
  tools: [
    defineTool({ ...tool, name: 'repair_record', rest: 'POST /api/repair/record', repairsText: true }),
    defineTool({ ...tool, name: 'repair_other', rest: 'POST /api/repair/other' }),
    defineTool({
      ...tool,
      name: 'repair_forward',
      forwardsTo: 'tool',
      input: Type.Object({ tool: Type.String(), arguments: said }, closed),
      uses: { toolbox },
      handle: async ({ tool: name, arguments: args }, { toolbox }) => (await toolbox.call(name, args)).result as { text: string },
    }),
  ],
})

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ plugins: [plugin] })
})
after(() => gateway.stop())

const HALF = '{"text":"cut \\ud83d"}'
const headers = { 'content-type': 'application/json' }
const answer = async (url: string, body: string) => (await gateway.inject({ method: 'POST', url, headers, body })).json()
const message = (name: string, args: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`

test('half of a surrogate pair is repaired where the tool says so, on every transport', async () => {
  for (const url of ['/api/repair/record', '/api/tools/repair_record']) assert.deepEqual(await answer(url, HALF), { text: 'cut \ufffd' })
  assert.deepEqual((await answer('/mcp', message('repair_record', HALF))).result.structuredContent, { text: 'cut \ufffd' })
  const [first, second] = await answer('/mcp', `[${message('repair_record', HALF)},${message('repair_record', '{"text":"x"}')}]`)
  assert.deepEqual([first.result.structuredContent.text, second.result.structuredContent.text], ['cut \ufffd', 'x'])
})

test('half of a surrogate pair is refused by its place where the tool does not say so', async () => {
  for (const url of ['/api/repair/other', '/api/tools/repair_other']) assert.equal((await answer(url, HALF)).details.field, 'text')
  assert.equal((await answer('/mcp', message('repair_other', HALF))).error.data.details.field, 'params.arguments.text')
  const mixed = await answer('/mcp', `[${message('repair_record', HALF)},${message('repair_other', '{"text":"x"}')}]`)
  assert.equal(mixed.error.data.code, 'BAD_REQUEST')
})

test('a tool that passes calls on repairs texts for the tools that have theirs repaired', async () => {
  const forward = (name: string): string => `{"tool":"${name}","arguments":${HALF}}`
  assert.deepEqual(await answer('/api/tools/repair_forward', forward('repair_record')), { text: 'cut \ufffd' })
  assert.equal((await answer('/mcp', message('repair_forward', forward('repair_record')))).result.structuredContent.text, 'cut \ufffd')
  assert.equal((await answer('/api/tools/repair_forward', forward('repair_other'))).code, 'BAD_REQUEST')
})
