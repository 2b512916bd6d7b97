import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuses, standIn, WIRES, type WireName } from './stand-in.ts'
import { ask, provider, start } from './support.ts'

const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
const tools = [{ name: 'tasks_list', description: 'List tasks.', input: { type: 'object', properties: { repo: { type: 'string' } } } }]

/** A streamed answer that says a word and asks for two tools, its arguments in pieces. */
const streamed: Readonly<Record<WireName, readonly object[]>> = {
  openai: [
    { choices: [{ index: 0, delta: { role: 'assistant', content: 'Looking.' }, finish_reason: null }] },
    {
      choices: [
        { index: 0, delta: { tool_calls: [{ index: 0, id: 'a1', type: 'function', function: { name: 'tasks_list', arguments: '' } }] } },
      ],
    },
    { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: '{"repo":' } }] } }] },
    { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: '"web"}' } }] } }] },
    {
      choices: [
        { index: 0, delta: { tool_calls: [{ index: 1, id: 'a2', type: 'function', function: { name: 'mail_inbox', arguments: '{}' } }] } },
      ],
    },
    { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    { choices: [], usage: { prompt_tokens: 30, completion_tokens: 9 } },
  ],
  anthropic: [
    { type: 'message_start', message: { role: 'assistant', content: [], usage: { input_tokens: 30, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Looking.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'a1', name: 'tasks_list', input: {} } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"repo":' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"web"}' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 'a2', name: 'mail_inbox', input: {} } },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '' } },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ],
}
/** The same in one piece. */
const whole: Readonly<Record<WireName, object>> = {
  openai: {
    choices: [
      {
        message: {
          content: 'Looking.',
          tool_calls: [
            { id: 'a1', type: 'function', function: { name: 'tasks_list', arguments: '{"repo":"web"}' } },
            { id: 'a2', type: 'function', function: { name: 'mail_inbox', arguments: {} } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 30, completion_tokens: 9 },
  },
  anthropic: {
    content: [
      { type: 'text', text: 'Looking.' },
      { type: 'tool_use', id: 'a1', name: 'tasks_list', input: { repo: 'web' } },
      { type: 'tool_use', id: 'a2', name: 'mail_inbox', input: {} },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 30, output_tokens: 9 },
  },
}
const calls = [
  { id: 'a1', name: 'tasks_list', arguments: '{"repo":"web"}' },
  { id: 'a2', name: 'mail_inbox', arguments: '{}' },
]

for (const wire of WIRES) {
  for (const form of ['streamed', 'whole'] as const) {
    test(`${wire}, ${form}: the tools that a model asks for are read, beside its text and its usage`, async () => {
      await using model = await standIn((response) => {
        response.writeHead(200, { 'content-type': form === 'whole' ? 'application/json' : 'text/event-stream' })
        response.end(form === 'whole' ? JSON.stringify(whole[wire]) : streamed[wire].map(data).join(''))
      })
      await using gateway = await start({ api: provider(model.baseUrl, { wire }) })
      const { text, toolCalls, stopReason, usage } = await ask(gateway, { tools })
      assert.deepEqual([text, stopReason, usage.inputTokens, usage.outputTokens], ['Looking.', 'tools', 30, 9])
      assert.deepEqual(toolCalls, calls)
    })
  }

  test(`${wire}: tools, the calls of earlier turns and their results are sent as the wire asks for`, async () => {
    await using model = await standIn(refuses(200, {}, whole[wire]))
    await using gateway = await start({ api: provider(model.baseUrl, { wire }) })
    const results = [
      { callId: 'a1', content: '[]' },
      { callId: 'a2', content: 'no', isError: true },
    ]
    const messages = [
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: '', toolCalls: [calls[0], { ...calls[1], arguments: 'not JSON' }] },
      { role: 'tool', results },
    ]
    await ask(gateway, { tools, messages })
    const { body } = model.received[0] as (typeof model.received)[0]
    const [{ name, description, input }] = tools as [(typeof tools)[0]]
    if (wire === 'openai') {
      assert.deepEqual(body.tools, [{ type: 'function', function: { name, description, parameters: input } }])
      const asked = (id: string, called: string, text: string) => ({ id, type: 'function', function: { name: called, arguments: text } })
      assert.deepEqual(body.messages.slice(1), [
        {
          role: 'assistant',
          content: null,
          tool_calls: [asked('a1', 'tasks_list', '{"repo":"web"}'), asked('a2', 'mail_inbox', 'not JSON')],
        },
        { role: 'tool', tool_call_id: 'a1', content: '[]' },
        { role: 'tool', tool_call_id: 'a2', content: 'no' },
      ])
    } else {
      assert.deepEqual(body.tools, [{ name, description, input_schema: input }])
      assert.deepEqual(body.messages.slice(1), [
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'a1', name: 'tasks_list', input: { repo: 'web' } },
            { type: 'tool_use', id: 'a2', name: 'mail_inbox', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a1', content: '[]' },
            { type: 'tool_result', tool_use_id: 'a2', content: 'no', is_error: true },
          ],
        },
      ])
    }
  })

  test(`${wire}: a provider that refuses tools is MODEL_REFUSED, with how many were offered`, async () => {
    await using model = await standIn(refuses(400, {}, { error: { message: 'model-s does not support tools' } }))
    await using gateway = await start({ api: provider(model.baseUrl, { wire }) })
    const refusal = await ask(gateway, { tools }).catch((error) => error)
    assert.deepEqual([refusal.code, refusal.details.status, refusal.details.toolsOffered], ['MODEL_REFUSED', 400, 1])
    assert.match(refusal.message, /does not support tools.*1 tools were offered/)
    const plain = await ask(gateway).catch((error) => error)
    assert.equal(plain.details.toolsOffered, undefined)
  })
}

test('a call that was cut off before its arguments has none, and is sent back with an empty object', async () => {
  const call = (id: string) => ({ id, type: 'function', function: { name: 'tasks_list', arguments: '' } })
  const cut = { choices: [{ message: { content: '', tool_calls: [call('a1'), call('a2')] }, finish_reason: 'length' }] }
  await using model = await standIn(refuses(200, {}, cut))
  await using gateway = await start({ api: provider(model.baseUrl) })
  const { toolCalls } = await ask(gateway, { tools })
  assert.deepEqual(
    toolCalls.map(({ arguments: given }: { arguments: string }) => given),
    ['{}', ''],
  )
  const results = toolCalls.map(({ id }: { id: string }) => ({ callId: id, content: '[]' }))
  await ask(gateway, {
    tools,
    messages: [
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: '', toolCalls },
      { role: 'tool', results },
    ],
  })
  const sent = model.received[1]?.body.messages[1].tool_calls.map((one: { function: { arguments: string } }) => one.function.arguments)
  assert.deepEqual(sent, ['{}', '{}'])
})

test('calls without ids or positions, as some servers send them, are told apart', async () => {
  const tool_calls = ['tasks_list', 'mail_inbox'].map((name) => ({ function: { name, arguments: '{}' } }))
  await using model = await standIn(refuses(200, {}, { choices: [{ message: { content: '', tool_calls }, finish_reason: 'stop' }] }))
  await using gateway = await start({ api: provider(model.baseUrl) })
  const { toolCalls, stopReason, usage } = await ask(gateway, { tools })
  assert.deepEqual(
    toolCalls.map(({ id, name }: Record<string, string>) => [id, name]),
    [
      ['call_0', 'tasks_list'],
      ['call_1', 'mail_inbox'],
    ],
  )
  assert.equal(stopReason, 'tools')
  assert.ok(usage.outputTokens > 0, 'what it asked for is estimated')
})

test('after the results of tools a model may have nothing to add; otherwise an answer without text is a failure', async () => {
  await using model = await standIn(refuses(200, {}, { choices: [{ message: { content: '' }, finish_reason: 'stop' }] }))
  await using gateway = await start({ api: provider(model.baseUrl) }, { maxHops: 0 })
  const messages = [
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: '', toolCalls: [calls[0]] },
    { role: 'tool', results: [{ callId: 'a1', content: '[]' }] },
  ]
  const { text, toolCalls, stopReason } = await ask(gateway, { messages, tools })
  assert.deepEqual([text, toolCalls, stopReason], ['', [], 'end'])
  await assert.rejects(ask(gateway), { code: 'UNAVAILABLE' })
})

test('a pinned model is asked whatever the tier; one that no provider has is refused, and a named provider does not fail over', async () => {
  await using one = await standIn(refuses(503))
  await using other = await standIn(refuses(200, {}, { choices: [{ message: { content: 'Yes' }, finish_reason: 'stop' }] }))
  const named = { api: provider(one.baseUrl), local: provider(other.baseUrl, { models: { budget: 'small', premium: 'model-p' } }) }
  await using gateway = await start(named, { maxHops: 1 })
  const { model, provider: by, tier, routing } = await ask(gateway, { model: 'small', tier: 'premium' })
  assert.deepEqual([model, by, tier, routing.rule], ['small', 'local', 'budget', 'model'])
  for (const pin of ['local/small', 'local:small']) assert.equal((await ask(gateway, { model: pin })).model, 'small')
  assert.equal((await ask(gateway, { model: 'model-p' })).provider, 'local', 'another provider has it')
  await assert.rejects(ask(gateway, { model: 'api/model-p' }), { code: 'UNAVAILABLE' })
  const before = other.received.length
  await assert.rejects(ask(gateway, { model: 'm-none' }), { code: 'UNAVAILABLE' })
  assert.equal(other.received.length, before)
})
