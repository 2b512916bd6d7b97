import assert from 'node:assert/strict'
import { test } from 'node:test'
import { customInput, flatName } from '../src/rules/tools-of-responses.ts'
import { messagesStream, mockProvider, streams } from './mock-provider.ts'
import { eventsOf, json, post, provider, start } from './support.ts'

const PARAMETERS = { type: 'object', properties: { target: { type: 'string' } }, required: ['target'] }
/** Tools in the forms that Codex 0.171 offers. */
const TOOLS = [
  { type: 'function', name: 'exec_command', description: 'Runs a command.', strict: false, parameters: PARAMETERS },
  {
    type: 'namespace',
    name: 'mcp__gateway',
    description: 'Tools of a server.',
    tools: [{ type: 'function', name: 'tasks_list', description: 'Lists tasks.', strict: false, parameters: PARAMETERS }],
  },
  {
    type: 'custom',
    name: 'apply_patch',
    description: 'Edits files.',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: "*** Begin"' },
  },
  { type: 'web_search', external_web_access: false },
]
const asked = (more: object = {}) => ({ model: 'model-s', input: 'Hi', tools: TOOLS, store: false, ...more })

test('tools in a namespace and custom tools are offered under flat names, a web search is left out, and earlier calls keep their names', async () => {
  await using up = await mockProvider(streams(messagesStream(['Hi'])))
  await using gateway = await start({ api: provider('anthropic', up.baseUrl) })
  const input = [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
    { type: 'function_call', call_id: 'c0', namespace: 'mcp__gateway', name: 'tasks_list', arguments: '{"target":"x"}' },
    { type: 'function_call_output', call_id: 'c0', output: 'none' },
    { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin' },
    { type: 'custom_tool_call_output', call_id: 'c1', output: 'Done.' },
  ]
  assert.equal((await post(gateway, 'responses', asked({ input }))).status, 200)
  const { tools, messages } = up.received[0]?.body ?? {}
  assert.deepEqual(
    tools.map(({ name }: { name: string }) => name),
    ['exec_command', 'mcp__gateway__tasks_list', 'apply_patch'],
  )
  assert.match(tools[2].description, /^Edits files\.\n\nThe input follows this grammar:\nstart: /)
  assert.deepEqual(tools[2].input_schema.required, ['input'])
  const used = messages
    .flatMap(({ content }: { content: { type: string }[] }) => content)
    .filter(({ type }: { type: string }) => /tool/.test(type))
  assert.deepEqual(
    used.map(({ type, name, input: given }: Record<string, unknown>) => [type, name, given]),
    [
      ['tool_use', 'mcp__gateway__tasks_list', { target: 'x' }],
      ['tool_result', undefined, undefined],
      ['tool_use', 'apply_patch', { input: '*** Begin' }],
      ['tool_result', undefined, undefined],
    ],
  )
})

for (const { what, call, item, done } of [
  {
    what: 'a tool in a namespace',
    call: { name: 'mcp__gateway__tasks_list', input: { target: 'x' } },
    item: { type: 'function_call', name: 'tasks_list', namespace: 'mcp__gateway', arguments: '{"target":"x"}' },
    done: 'response.function_call_arguments.done',
  },
  {
    what: 'a custom tool',
    call: { name: 'apply_patch', input: { input: '*** Begin' } },
    item: { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin' },
    done: 'response.custom_tool_call_input.done',
  },
]) {
  test(`a call of ${what} reaches the client in the form of its offer, whole and streamed`, async () => {
    await using up = await mockProvider(streams(messagesStream(['Hi'], call)))
    await using gateway = await start({ api: provider('anthropic', up.baseUrl) })
    const { id: _id, call_id: callId, status: _status, ...whole } = (await json(await post(gateway, 'responses', asked()))).output[1]
    assert.deepEqual([whole, callId], [item, 'toolu_1'])
    const events = eventsOf(await (await post(gateway, 'responses', asked({ stream: true }))).text())
    const { item: streamed } = events.filter(({ type }) => type === 'response.output_item.done').at(-1)
    assert.deepEqual([streamed.type, streamed.name, streamed.namespace], [item.type, item.name, item.namespace])
    assert.ok(events.some(({ type }) => type === done))
  })
}

test('a long name is cut and stays unique, and an input of an unexpected form is kept', () => {
  assert.equal(flatName('tasks_list', undefined), 'tasks_list')
  const [one, other] = ['a', 'b'].map((end) => flatName(`${'x'.repeat(60)}${end}`, 'space'))
  assert.deepEqual([one?.length, one === other], [64, false])
  assert.deepEqual(
    [customInput('{"input":"x"}'), customInput('{"patch":"x"}'), customInput('x'), customInput('{}')],
    ['x', '{"patch":"x"}', 'x', ''],
  )
})
