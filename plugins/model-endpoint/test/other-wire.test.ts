import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatStream, messagesStream, mockProvider, streams } from './mock-provider.ts'
import { eventsOf, json, post, provider, spent, start } from './support.ts'

const USER = [{ role: 'user', content: 'Hi' }]
const PARAMETERS = { type: 'object', properties: { x: { type: 'number' } } }

test('a conversation of chat completions with tools is served by a provider of messages', async () => {
  await using up = await mockProvider(streams(messagesStream(['Let me ', 'look'], { name: 'look', input: { x: 1 } })))
  await using gateway = await start({ api: provider('anthropic', up.baseUrl) })
  const call = { id: 'call_0', type: 'function', function: { name: 'look', arguments: '{"x":0}' } }
  const asked = {
    model: 'model-s',
    max_completion_tokens: 60,
    tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: PARAMETERS } }],
    tool_choice: 'required',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } }] },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_0', content: 'nothing' },
      { role: 'user', content: 'Again' },
    ],
  }
  const { choices, usage } = await json(await post(gateway, 'chat/completions', asked))
  assert.deepEqual(choices[0].message.content, 'Let me look')
  assert.deepEqual(choices[0].message.tool_calls, [{ id: 'toolu_1', type: 'function', function: { name: 'look', arguments: '{"x":1}' } }])
  assert.deepEqual([choices[0].finish_reason, usage.total_tokens], ['tool_calls', 1_100])
  assert.deepEqual(up.received[0]?.body, {
    model: 'model-s',
    system: 'Be brief.',
    messages: [
      { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_0', name: 'look', input: { x: 0 } }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_0', content: 'nothing' },
          { type: 'text', text: 'Again' },
        ],
      },
    ],
    tools: [{ name: 'look', description: 'Looks.', input_schema: PARAMETERS }],
    tool_choice: { type: 'any' },
    max_tokens: 60,
    stream: true,
  })
  const streamed = eventsOf(await (await post(gateway, 'chat/completions', { ...asked, stream: true })).text())
  const said = streamed.map((one) => one.choices?.[0]?.delta.content ?? '').join('')
  assert.deepEqual([said, streamed.at(-1)], ['Let me look', '[DONE]'])
  assert.equal(streamed.find((one) => one.choices?.[0]?.delta.tool_calls).choices[0].delta.tool_calls[0].function.arguments, '{"x":1}')
  assert.equal(await spent(gateway), 0.004)
})

test('messages with tools are served by a provider of chat completions, streamed block by block', async () => {
  await using up = await mockProvider(streams(chatStream(['Let me ', 'look'], { name: 'look', arguments: '{"x":1}' })))
  await using gateway = await start({ api: provider('openai', up.baseUrl, { limitField: 'max_completion_tokens' }) })
  const asked = {
    model: 'model-s',
    max_tokens: 60,
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    tools: [{ name: 'look', input_schema: PARAMETERS }],
    messages: [
      ...USER,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_0', name: 'look', input: { x: 0 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_0', content: [{ type: 'text', text: 'nothing' }] }] },
    ],
  }
  const whole = await json(await post(gateway, 'messages', asked))
  assert.deepEqual(whole.content, [
    { type: 'text', text: 'Let me look' },
    { type: 'tool_use', id: 'call_1', name: 'look', input: { x: 1 } },
  ])
  assert.deepEqual([whole.stop_reason, whole.usage.input_tokens, whole.usage.output_tokens], ['tool_use', 1_000, 100])
  const { body } = up.received[0] ?? assert.fail()
  assert.deepEqual(
    body.messages.map(({ role }: { role: string }) => role),
    ['system', 'user', 'assistant', 'tool'],
  )
  assert.deepEqual([body.max_completion_tokens, body.messages[3].tool_call_id], [60, 'toolu_0'])
  const events = eventsOf(await (await post(gateway, 'messages', { ...asked, stream: true })).text())
  assert.deepEqual(
    events.map(({ type }) => type),
    [
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ],
  )
})

test('responses are served by providers of both wires, in one piece and streamed', async () => {
  await using up = await mockProvider(streams(messagesStream(['Hel', 'lo'], { name: 'look', input: {} })))
  await using gateway = await start({ api: provider('anthropic', up.baseUrl) })
  const asked = {
    model: 'model-s',
    instructions: 'Be brief.',
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'function_call', call_id: 'c0', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c0', output: 'nothing' },
    ],
    tools: [{ type: 'function', name: 'look', parameters: PARAMETERS }],
  }
  const whole = await json(await post(gateway, 'responses', asked))
  assert.deepEqual([whole.status, whole.output[0].content[0].text, whole.output[1].name], ['completed', 'Hello', 'look'])
  assert.equal(up.received[0]?.body.messages[2].content[0].type, 'tool_result')
  const events = eventsOf(await (await post(gateway, 'responses', { ...asked, stream: true })).text())
  assert.equal(
    events
      .filter(({ type }) => type === 'response.output_text.delta')
      .map(({ delta }) => delta)
      .join(''),
    'Hello',
  )
  assert.deepEqual(
    events.map(({ sequence_number: n }) => n),
    events.map((_, n) => n),
  )
  assert.equal(events.at(-1).type, 'response.completed')
  assert.equal(events.at(-1).response.output[1].call_id, 'toolu_1')
})

test('the error that ends a stream of responses has the number that follows the last event', async () => {
  await using up = await mockProvider((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chatStream(['Half'])[0])
    setImmediate(() => response.destroy())
  })
  await using gateway = await start({ api: provider('openai', up.baseUrl) })
  const events = eventsOf(await (await post(gateway, 'responses', { model: 'model-s', input: 'Hi', stream: true })).text())
  assert.equal(events.at(-1).type, 'error')
  assert.deepEqual(
    events.map(({ sequence_number: n }) => n),
    events.map((_, n) => n),
  )
})

test('a tool without arguments is called with an empty object on every wire, streamed and whole', async () => {
  await using messages = await mockProvider(streams(messagesStream([], { name: 'look', input: '' })))
  await using chats = await mockProvider(streams(chatStream([], { name: 'look', arguments: '' })))
  await using gateway = await start({ api: provider('anthropic', messages.baseUrl), local: provider('openai', chats.baseUrl) })
  const chat = { model: 'api/model-s', messages: USER, tools: [{ type: 'function', function: { name: 'look' } }] }
  assert.equal((await json(await post(gateway, 'chat/completions', chat))).choices[0].message.tool_calls[0].function.arguments, '{}')
  const chunks = eventsOf(await (await post(gateway, 'chat/completions', { ...chat, stream: true })).text())
  const pieces = chunks.flatMap((one) => one.choices?.[0]?.delta.tool_calls ?? []).map((one) => one.function.arguments)
  assert.equal(pieces.join(''), '{}')
  for (const model of ['api/model-s', 'local/model-s']) {
    const asked = { model, input: 'Hi', tools: [{ type: 'function', name: 'look' }] }
    assert.equal((await json(await post(gateway, 'responses', asked))).output[0].arguments, '{}')
    const events = eventsOf(await (await post(gateway, 'responses', { ...asked, stream: true })).text())
    const [done] = events.filter(({ type }) => type === 'response.function_call_arguments.done')
    assert.deepEqual([done.arguments, events.at(-1).response.output[0].arguments], ['{}', '{}'])
  }
  const asked = { model: 'local/model-s', max_tokens: 60, messages: USER, tools: [{ name: 'look' }] }
  assert.deepEqual((await json(await post(gateway, 'messages', asked))).content[0].input, {})
  const blocks = eventsOf(await (await post(gateway, 'messages', { ...asked, stream: true })).text())
  assert.equal(blocks.find(({ delta }) => delta?.type === 'input_json_delta').delta.partial_json, '{}')
})

test('earlier calls without arguments reach a provider of chat completions with an empty object, and an object as its text', async () => {
  await using up = await mockProvider(streams(chatStream(['Hi'])))
  await using gateway = await start({ api: provider('openai', up.baseUrl) })
  const given = ['', ' ', undefined, { x: 1 }]
  const input = given.flatMap((one, at) => [
    { type: 'function_call', call_id: `c${at}`, name: 'look', arguments: one },
    { type: 'function_call_output', call_id: `c${at}`, output: 'nothing' },
  ])
  assert.equal((await post(gateway, 'responses', { model: 'model-s', input })).status, 200)
  const sent = up.received[0]?.body.messages.flatMap((one: { tool_calls?: { function: { arguments: string } }[] }) => one.tool_calls ?? [])
  assert.deepEqual(
    sent.map((one: { function: { arguments: string } }) => one.function.arguments),
    ['{}', '{}', '{}', '{"x":1}'],
  )
})

for (const { stop, finish, status, reason } of [
  { stop: 'model_context_window_exceeded', finish: 'length', status: 'incomplete', reason: 'max_output_tokens' },
  { stop: 'refusal', finish: 'content_filter', status: 'incomplete', reason: 'content_filter' },
  { stop: 'pause_turn', finish: 'length', status: 'incomplete', reason: 'max_output_tokens' },
  { stop: 'stop_sequence', finish: 'stop', status: 'completed', reason: undefined },
]) {
  test(`an answer of messages that ends with ${stop} ends with ${finish} for chat completions, and ${status} for responses`, async () => {
    await using up = await mockProvider(streams(messagesStream(['Hi']).map((one) => one.replace('end_turn', stop))))
    await using gateway = await start({ api: provider('anthropic', up.baseUrl) })
    const { choices } = await json(await post(gateway, 'chat/completions', { model: 'model-s', messages: USER }))
    assert.equal(choices[0].finish_reason, finish)
    const last = eventsOf(await (await post(gateway, 'responses', { model: 'model-s', input: 'Hi', stream: true })).text()).at(-1)
    assert.deepEqual([last.type, last.response.incomplete_details?.reason], [`response.${status}`, reason])
  })
}

test('a member that cannot be translated is refused by its name, and no provider is asked', async () => {
  await using up = await mockProvider(streams(messagesStream(['Hi'])))
  await using gateway = await start({ api: provider('anthropic', up.baseUrl) })
  for (const [path, body, param] of [
    ['chat/completions', { messages: USER, logit_bias: { 1: 2 } }, 'logit_bias'],
    ['chat/completions', { messages: USER, n: 2 }, 'n'],
    ['responses', { input: 'Hi', previous_response_id: 'r' }, 'previous_response_id'],
    ['responses', { input: 'Hi', tools: [{ type: 'file_search' }] }, 'tools[0].file_search'],
    ['embeddings', { input: 'Hi' }, 'model'],
  ] as const) {
    const response = await post(gateway, path, { model: 'model-s', ...body })
    assert.deepEqual([path, response.status, (await json(response)).error.param], [path, 400, param])
  }
  assert.deepEqual([up.received.length, await spent(gateway)], [0, 0])
})
