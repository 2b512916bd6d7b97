import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatStream, messagesStream, mockProvider, streams } from './mock-provider.ts'
import { json, post, provider, start } from './support.ts'

const USER = [{ role: 'user', content: 'Hi' }]
const assistant = (call: unknown) => [...USER, { role: 'assistant', content: null, tool_calls: [call] }]
const said = (content: unknown) => [{ role: 'user', content }]

const IN = { type: 'input_text', text: 'a' }
const PICTURE = { type: 'input_image', image_url: 'data:image/png;base64,QUJD' }
const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } }

/** Members of a body and the field that the refusal names, for a provider of the other wire. */
const REFUSED: Readonly<Record<string, readonly (readonly [members: object, field: string])[]>> = {
  'chat/completions': [
    [{ messages: [] }, 'messages'],
    [{ messages: [{ role: 'system', content: 'Be brief.' }] }, 'messages'],
    [{ messages: said('') }, 'messages'],
    [{ messages: [5] }, 'messages[0]'],
    [{ messages: [{}] }, 'messages[0].role'],
    [{ messages: [{ role: 'user' }] }, 'messages[0].content'],
    [{ messages: said(null) }, 'messages[0].content'],
    [{ messages: said(5) }, 'messages[0].content'],
    [{ messages: said({}) }, 'messages[0].content'],
    [{ messages: [...USER, { role: 'system', content: [{ type: 'text', text: '' }, IMAGE] }] }, 'messages[1].content[1]'],
    [{ messages: [{ role: 'tool', content: 'r' }] }, 'messages[0].tool_call_id'],
    [{ messages: [...USER, { role: 'assistant', tool_calls: 'x' }] }, 'messages[1].tool_calls'],
    [{ messages: assistant(5) }, 'messages[1].tool_calls[0]'],
    [{ messages: assistant({ id: 'a' }) }, 'messages[1].tool_calls[0].function'],
    [{ messages: assistant({ function: { name: 'f' } }) }, 'messages[1].tool_calls[0].id'],
    [{ messages: assistant({ id: 'a', function: {} }) }, 'messages[1].tool_calls[0].function.name'],
    [{ messages: assistant({ id: 'a', function: { name: 'f', arguments: 5 } }) }, 'messages[1].tool_calls[0].function.arguments'],
    [
      { messages: [...USER, { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } }] },
      'messages[1].function_call',
    ],
    [{ messages: [...USER, { role: 'assistant', content: null, audio: { id: 'a' } }] }, 'messages[1].audio'],
    [{ tools: [{ type: 'function', function: { name: 'f', strict: 'yes' } }] }, 'tools[0].function.strict'],
    [{ tools: {} }, 'tools'],
    [{ tools: [{ type: 'function', function: { name: '' } }] }, 'tools[0].function.name'],
    [{ tools: [{ type: 'function', function: { name: 'f', parameters: 'x' } }] }, 'tools[0].function.parameters'],
    [{ tool_choice: 'required' }, 'tool_choice'],
    [{ tool_choice: { type: 'function', function: { name: 'f' } } }, 'tool_choice'],
    [{ parallel_tool_calls: 'no' }, 'parallel_tool_calls'],
    [{ response_format: { type: 'json_object' } }, 'response_format'],
    [{ response_format: { type: 'json_schema', json_schema: { schema: 5 } } }, 'response_format.json_schema.schema'],
    [{ frequency_penalty: 0.5 }, 'frequency_penalty'],
    [{ logprobs: true }, 'logprobs'],
  ],
  responses: [
    [{ input: [] }, 'input'],
    [{ input: '' }, 'input'],
    [{ input: [{}] }, 'input[0].role'],
    [{ input: [{ role: 'banana', content: 'x' }] }, 'input[0].role'],
    [{ input: [{ role: 'user' }] }, 'input[0].content'],
    [{ input: [{ role: 'user', content: ['x'] }] }, 'input[0].content[0]'],
    [{ input: [{ type: 'function_call', name: 'f' }] }, 'input[0].call_id'],
    [{ input: [{ type: 'function_call', call_id: 'a' }] }, 'input[0].name'],
    [{ input: [{ type: 'function_call', call_id: 'a', name: 'f', arguments: [] }] }, 'input[0].arguments'],
    [{ input: [{ type: 'function_call_output', call_id: 'a' }] }, 'input[0].output'],
    [{ input: [{ type: 'function_call_output', output: 'x' }] }, 'input[0].call_id'],
    [{ input: [{ type: 'function_call_output', call_id: 'a', output: [IN, { type: 'input_file' }] }] }, 'input[0].output[1].input_file'],
    [
      {
        input: [
          { role: 'user', content: 'Hi' },
          { role: 'system', content: [IN, PICTURE] },
        ],
      },
      'input[1].content[1]',
    ],
    [{ instructions: 5 }, 'instructions'],
    [{ text: 5 }, 'text'],
    [{ text: { format: { type: 'json_object' } } }, 'text.format'],
    [{ tools: 'x' }, 'tools'],
    [{ tools: [{ type: 'function', name: 'f', strict: 1 }] }, 'tools[0].strict'],
    [{ previous_response_id: 'r' }, 'previous_response_id'],
    [{ conversation: 'c' }, 'conversation'],
    [{ background: true }, 'background'],
  ],
  messages: [
    [{ messages: [] }, 'messages'],
    [{ messages: said([]) }, 'messages'],
    [{ messages: said(null) }, 'messages[0].content'],
    [{ messages: said(5) }, 'messages[0].content'],
    [{ messages: said([{ type: 'text' }]) }, 'messages[0].content[0].text'],
    [{ messages: [{ role: 'system', content: 'x' }] }, 'messages[0].role'],
    [{ messages: said([{ type: 'tool_result', content: 'r' }]) }, 'messages[0].content[0].tool_use_id'],
    [{ messages: said([{ type: 'tool_result', tool_use_id: 'a', content: 5 }]) }, 'messages[0].content[0].content'],
    [
      { messages: said([{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'document' }] }]) },
      'messages[0].content[0].content[0].document',
    ],
    [
      { messages: said([{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image' }] }]) },
      'messages[0].content[0].content[0].source',
    ],
    [{ messages: [{ role: 'assistant', content: [{ type: 'tool_use', name: 'f' }] }] }, 'messages[0].content[0].id'],
    [{ messages: said([{ type: 'image' }]) }, 'messages[0].content[0].source'],
    [{ messages: said([{ type: 'image', source: { type: 'base64' } }]) }, 'messages[0].content[0].source.media_type'],
    [{ system: 5 }, 'system'],
    [{ system: ['x'] }, 'system[0]'],
    [{ tools: {} }, 'tools'],
    [{ tools: [{ name: 'f', input_schema: 'x' }] }, 'tools[0].input_schema'],
    [{ tools: [{ name: 'f', strict: 'yes' }] }, 'tools[0].strict'],
    [{ tools: [{ name: 'f', allowed_callers: ['code_execution_20250825'] }] }, 'tools[0].allowed_callers'],
    [{ tool_choice: 'auto' }, 'tool_choice'],
    [{ tool_choice: { type: 'any' } }, 'tool_choice'],
    [{ output_config: { format: { type: 'json_schema' } } }, 'output_config.format.schema'],
  ],
}

for (const [path, cases] of Object.entries(REFUSED)) {
  test(`input of ${path} that has no meaning or no equivalent is refused by its field, and neither sent nor charged`, async () => {
    await using up = await mockProvider(streams(messagesStream(['Hi'])))
    const wire = path === 'messages' ? 'openai' : 'anthropic'
    await using gateway = await start({ api: provider(wire, up.baseUrl) }, { monthlyCapUsd: 1 })
    for (const stream of [false, true]) {
      for (const [members, field] of cases) {
        const body = { model: 'model-s', ...(path === 'responses' ? { input: 'Hi' } : { messages: USER, max_tokens: 50 }), stream }
        const response = await post(gateway, path, { ...body, ...members })
        const { error } = await json(response)
        assert.deepEqual([response.status, error.type], [400, 'invalid_request_error'], JSON.stringify(members))
        assert.ok(error.message.startsWith(`\`${field}\` `), `${JSON.stringify(members)}: ${error.message}`)
        if (path !== 'messages') assert.equal(error.param, field)
      }
    }
    const { monthToDateUsd, heldUsd } = await gateway.call('budgets_status')
    assert.deepEqual([up.received.length, monthToDateUsd, heldUsd], [0, 0, 0])
  })
}

test('members that decide how the answer is sent must be what the wire says, for every provider', async () => {
  await using up = await mockProvider(streams(chatStream(['Hi'])))
  await using gateway = await start({ api: provider('openai', up.baseUrl) })
  const ask = async (path: string, members: object) => {
    const response = await post(gateway, path, { model: 'model-s', messages: USER, max_tokens: 50, ...members })
    return [response.status, (await json(response)).error.message.split(' ')[0]]
  }
  for (const stream of ['yes', 'false', 1, {}])
    for (const path of ['chat/completions', 'messages', 'embeddings'])
      assert.deepEqual(await ask(path, { stream }), [400, '`stream`'], JSON.stringify(stream))
  assert.deepEqual(await ask('embeddings', { stream: true }), [400, '`stream`'])
  for (const options of ['x', []])
    assert.deepEqual(await ask('chat/completions', { stream: true, stream_options: options }), [400, '`stream_options`'])
  const wrong = { stream: true, stream_options: { include_usage: 'true' } }
  assert.deepEqual(await ask('chat/completions', wrong), [400, '`stream_options.include_usage`'])
  assert.equal(up.received.length, 0)
})

test('members that ask for nothing, and messages without content, are left out in translation', async () => {
  await using up = await mockProvider(streams(messagesStream(['Hi'])))
  await using gateway = await start({ api: provider('anthropic', up.baseUrl) })
  const idle = {
    n: null,
    frequency_penalty: 0,
    presence_penalty: 0,
    logprobs: false,
    logit_bias: {},
    modalities: ['text'],
    response_format: { type: 'text' },
    tool_choice: 'none',
    parallel_tool_calls: false,
    tools: [{ type: 'function', function: { name: 'look' } }],
  }
  const messages = [...USER, { role: 'assistant', content: '' }, { role: 'user', content: [{ type: 'text', text: '' }] }, ...USER]
  const response = await post(gateway, 'chat/completions', { model: 'model-s', messages, ...idle })
  assert.equal(response.status, 200, await response.text())
  assert.deepEqual(up.received[0]?.body, {
    model: 'model-s',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'text', text: 'Hi' },
        ],
      },
    ],
    tools: [{ name: 'look', input_schema: { type: 'object', properties: {} } }],
    tool_choice: { type: 'none' },
    max_tokens: 32_000,
    stream: true,
  })
})

test('blank text, which the wire of messages refuses, is left out in translation, and turns that are neighbours then are joined', async () => {
  await using up = await mockProvider(streams(messagesStream(['Hi'])))
  await using gateway = await start({ api: provider('anthropic', up.baseUrl) })
  const call = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }
  const messages = [
    { role: 'system', content: ' \n' },
    ...USER,
    { role: 'assistant', content: '\n\t ' },
    { role: 'user', content: ['  ', 'More'].map((text) => ({ type: 'text', text })) },
    { role: 'assistant', content: '\n', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content: 'seen' },
  ]
  const response = await post(gateway, 'chat/completions', { model: 'model-s', messages })
  assert.equal(response.status, 200, await response.text())
  const text = (said: string) => ({ type: 'text', text: said })
  assert.deepEqual(up.received[0]?.body.messages, [
    { role: 'user', content: [text('Hi'), text('More')] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'seen' }] },
  ])
  assert.equal('system' in (up.received[0]?.body ?? {}), false)
})

test('an unknown model is 404 with the code and the field that clients of the wire know', async () => {
  await using gateway = await start({ api: provider('openai', 'http://127.0.0.1:9') })
  for (const model of ['nope', 'api/nope', 'nope/model-s', 'api/', '/model-s']) {
    const response = await post(gateway, 'chat/completions', { model, messages: USER })
    const { error } = await json(response)
    assert.deepEqual(
      [response.status, error.code, error.param, error.type],
      [404, 'model_not_found', 'model', 'invalid_request_error'],
      model,
    )
  }
})

test('structured output is asked for in the words of each wire', async () => {
  await using chats = await mockProvider(streams(chatStream(['{}'])))
  await using messages = await mockProvider(streams(messagesStream(['{}'])))
  await using gateway = await start({ api: provider('openai', chats.baseUrl), local: provider('anthropic', messages.baseUrl) })
  const schema = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'], additionalProperties: false }
  const named = { name: 'point', schema, strict: false }
  const ask = async (path: string, model: string, members: object) =>
    (await post(gateway, path, { model, ...(path === 'responses' ? { input: 'Hi' } : { messages: USER, max_tokens: 50 }), ...members }))
      .status
  assert.equal(await ask('chat/completions', 'local/model-s', { response_format: { type: 'json_schema', json_schema: named } }), 200)
  assert.equal(await ask('responses', 'local/model-s', { text: { format: { type: 'json_schema', ...named } } }), 200)
  for (const { body } of messages.received) assert.deepEqual(body.output_config, { format: { type: 'json_schema', schema } })
  assert.equal(messages.received.length, 2)
  assert.equal(await ask('messages', 'api/model-s', { output_config: { effort: 'low', format: { type: 'json_schema', schema } } }), 200)
  assert.equal(await ask('responses', 'api/model-s', { text: { format: { type: 'json_schema', ...named } } }), 200)
  const asked = chats.received.map(({ body }) => body.response_format)
  const always = { name: 'answer', schema, strict: true }
  assert.deepEqual(
    asked,
    [always, named].map((json_schema) => ({ type: 'json_schema', json_schema })),
  )
})

test('hints of caches are left out in translation, and strict tools stay strict', async () => {
  await using chats = await mockProvider(streams(chatStream(['Hi'])))
  await using messages = await mockProvider(streams(messagesStream(['Hi'])))
  await using gateway = await start({ api: provider('openai', chats.baseUrl), local: provider('anthropic', messages.baseUrl) })
  const schema = { type: 'object', properties: {}, additionalProperties: false }
  const hints = { prompt_cache_key: 'k', prompt_cache_retention: '24h', prompt_cache_options: { mode: 'implicit' } }
  const named = [{ name: 'one', strict: true }, { name: 'two', strict: false }, { name: 'three' }]
  const functions = named.map((one) => ({ type: 'function', function: { ...one, parameters: schema } }))
  const flat = named.map((one) => ({ type: 'function', ...one, parameters: schema }))
  const blocks = named.map((one) => ({ ...one, input_schema: schema, cache_control: { type: 'ephemeral', ttl: '1h' } }))
  for (const [path, body] of [
    ['chat/completions', { model: 'local/model-s', messages: USER, tools: functions, ...hints }],
    ['responses', { model: 'local/model-s', input: 'Hi', tools: flat, ...hints }],
    ['responses', { model: 'api/model-s', input: 'Hi', tools: flat, ...hints }],
    ['messages', { model: 'api/model-s', max_tokens: 60, messages: USER, tools: blocks, cache_control: { type: 'ephemeral' } }],
  ] as const) {
    const response = await post(gateway, path, body)
    assert.equal(response.status, 200, await response.text())
  }
  type Offered = { name: string; strict?: boolean }
  const strict = (tools: readonly Offered[]) => tools.map((tool) => [tool.name, tool.strict])
  const expected = [
    ['one', true],
    ['two', undefined],
    ['three', undefined],
  ]
  for (const { body } of messages.received) assert.deepEqual(strict(body.tools), expected)
  for (const { body } of chats.received) assert.deepEqual(strict(body.tools.map((tool: { function: Offered }) => tool.function)), expected)
  const sent = [...messages.received, ...chats.received].map(({ body }) => JSON.stringify(body)).join()
  assert.equal(/cache/.test(sent), false)
})

test('an earlier refusal of the model is text of its turn in translation', async () => {
  await using up = await mockProvider(streams(messagesStream(['Hi'])))
  await using gateway = await start({ api: provider('anthropic', up.baseUrl) })
  const refusal = { type: 'refusal', refusal: 'No.' }
  for (const turn of [
    { role: 'assistant', content: null, refusal: 'No.' },
    { role: 'assistant', content: [refusal] },
  ])
    assert.equal((await post(gateway, 'chat/completions', { model: 'model-s', messages: [...USER, turn, ...USER] })).status, 200)
  const input = [...USER, { type: 'message', role: 'assistant', content: [refusal] }, ...USER]
  assert.equal((await post(gateway, 'responses', { model: 'model-s', input })).status, 200)
  for (const { body } of up.received) assert.deepEqual(body.messages[1], { role: 'assistant', content: [{ type: 'text', text: 'No.' }] })
})
