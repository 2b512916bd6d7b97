import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import budgets from '@gateway/plugin-budgets'
import outgoing from '@gateway/plugin-outgoing'
import providers from '@gateway/plugin-providers'
import { startTestGateway } from '@gateway/testing'
import modelEndpoint from '../src/index.ts'
import { answersJson, type Behaviour, event, mockProvider, type Received, streams } from './mock-provider.ts'
import { eventsOf, json, post } from './support.ts'

const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/models.md'), 'utf8')
const KEY = 'key-of-the-server'

/** The settings below a heading of the guide, with the server at another address. */
function settingsOf(vendor: string, baseUrl: string) {
  const [, block = ''] = new RegExp(`### ${vendor}\\n[^]*?\`\`\`json\\n([^]*?)\`\`\``).exec(guide) ?? []
  const found = block.replace(/http:\/\/127\.0\.0\.1:\d+/, baseUrl).replaceAll(`\${${vendor.toUpperCase()}_API_KEY}`, KEY)
  return (JSON.parse(found) as { plugins: Record<string, Record<string, unknown>> }).plugins
}

const CALL = { name: 'weather', arguments: '{"city":"Oslo"}' }
const USAGE = { prompt_tokens: 26, completion_tokens: 8, total_tokens: 34 }
const asksTool = ({ body }: Received): boolean => JSON.stringify(body.messages).includes('Weather?')

/** The end of a stream: the report of usage comes only where it is asked for, as both servers do. */
const ending = ({ body }: Received, head: object): readonly string[] => [
  ...(body.stream_options?.include_usage ? [event({ ...head, choices: [], usage: USAGE })] : []),
  event('[DONE]'),
]

const ollama: Behaviour = (response, request) => {
  const { model, stream, input } = request.body
  if (request.url === '/v1/embeddings') {
    const data = [{ object: 'embedding', embedding: [0.1, 0.2], index: 0 }]
    return answersJson({ object: 'list', data, model, usage: { prompt_tokens: String(input).length, total_tokens: 3 } })(response, request)
  }
  assert.deepEqual([request.url, request.headers.authorization], ['/v1/chat/completions', undefined])
  const head = { id: 'chatcmpl-814', created: 1_767_225_600, model, system_fingerprint: 'fp_ollama' }
  const chunk = { ...head, object: 'chat.completion.chunk' }
  const calls = [{ id: 'call_k3v9', index: 0, type: 'function', function: CALL }]
  const delta = asksTool(request) ? { role: 'assistant', content: '', tool_calls: calls } : { role: 'assistant', content: 'Hello' }
  const finish = asksTool(request) ? 'tool_calls' : 'stop'
  if (!stream) {
    const choices = [{ index: 0, message: delta, finish_reason: finish }]
    return answersJson({ ...head, object: 'chat.completion', choices, usage: USAGE })(response, request)
  }
  const parts = [
    event({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] }),
    event({ ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: finish }] }),
  ]
  streams([...parts, ...ending(request, chunk)])(response, request)
}

const vllm: Behaviour = (response, request) => {
  const { model, stream } = request.body
  assert.equal(request.url, '/v1/chat/completions')
  if (request.headers.authorization !== `Bearer ${KEY}`) return answersJson({ error: 'Unauthorized' }, 401)(response, request)
  const head = { id: 'chatcmpl-8f0e5c', created: 1_767_225_600, model }
  const chunk = { ...head, object: 'chat.completion.chunk' }
  const id = 'chatcmpl-tool-57c1'
  if (!stream) {
    const calls = asksTool(request) ? [{ id, type: 'function', function: CALL }] : []
    const message = { role: 'assistant', content: asksTool(request) ? null : 'Hello', reasoning_content: null, tool_calls: calls }
    const choices = [{ index: 0, message, logprobs: null, finish_reason: asksTool(request) ? 'tool_calls' : 'stop', stop_reason: null }]
    return answersJson({ ...head, object: 'chat.completion', choices, usage: USAGE, prompt_logprobs: null })(response, request)
  }
  const part = (delta: object, more: object = { finish_reason: null }) =>
    event({ ...chunk, choices: [{ index: 0, delta, logprobs: null, ...more }] })
  const call = (given: object, more: object = {}) => part({ tool_calls: [{ index: 0, ...more, function: given }] })
  const said = asksTool(request)
    ? [call({ name: CALL.name }, { id, type: 'function' }), call({ arguments: '{"city":' }), call({ arguments: '"Oslo"}' })]
    : [part({ content: 'Hel' }), part({ content: 'lo' })]
  const last = part({ content: '' }, { finish_reason: asksTool(request) ? 'tool_calls' : 'stop', stop_reason: null })
  streams([part({ role: 'assistant', content: '' }), ...said, last, ...ending(request, chunk)])(response, request)
}

const USER = [{ role: 'user', content: 'Hi' }]
const WEATHER = [{ role: 'user', content: 'Weather?' }]
const INPUT = { type: 'object', properties: { city: { type: 'string' } } }

for (const { vendor, behave, model, callUsd } of [
  { vendor: 'Ollama', behave: ollama, model: 'qwen3:8b', callUsd: 0 },
  { vendor: 'vLLM', behave: vllm, model: 'Qwen/Qwen3-32B', callUsd: (26 * 0.2 + 8 * 0.6) / 1e6 },
] as const) {
  test(`the settings of the guide for ${vendor} answer all wires, streamed and in one piece, with tools, at the price that they set`, async () => {
    await using up = await mockProvider(behave)
    const plugins = [outgoing, providers, budgets, modelEndpoint]
    await using gateway = await startTestGateway({ plugins, config: settingsOf(vendor, up.baseUrl), listen: true })
    const chat = { model, messages: USER }
    assert.equal((await json(await post(gateway, 'chat/completions', chat))).choices[0].message.content, 'Hello')
    const streamed = eventsOf(await (await post(gateway, 'chat/completions', { ...chat, stream: true })).text())
    assert.equal(streamed.map((part) => part.choices?.[0]?.delta?.content ?? '').join(''), 'Hello')
    assert.equal(streamed.at(-1), '[DONE]')
    const messages = await json(await post(gateway, 'messages', { ...chat, max_tokens: 100 }))
    assert.deepEqual([messages.content[0].text, messages.usage.output_tokens], ['Hello', 8])
    const responses = await json(await post(gateway, 'responses', { model: 'standard', input: 'Hi' }))
    assert.equal(responses.output[0].content[0].text, 'Hello')
    const tools = [{ name: 'weather', input_schema: INPUT }]
    const used = await json(await post(gateway, 'messages', { model, max_tokens: 100, messages: WEATHER, tools }))
    const use = used.content.find(({ type }: { type: string }) => type === 'tool_use')
    assert.deepEqual([use.name, use.input, used.stop_reason], ['weather', { city: 'Oslo' }, 'tool_use'])
    const own = [{ type: 'function', function: { name: 'weather', parameters: INPUT } }]
    const called = eventsOf(await (await post(gateway, 'chat/completions', { model, messages: WEATHER, tools: own, stream: true })).text())
    const given = called.flatMap((part) => part.choices?.[0]?.delta?.tool_calls ?? []).map((one) => one.function.arguments ?? '')
    assert.equal(given.join(''), CALL.arguments)
    const { totalUsd, calls, byModel } = await gateway.call('budgets_breakdown')
    assert.deepEqual([totalUsd, calls, byModel[0].inputTokens, byModel[0].outputTokens], [Math.round(6 * callUsd * 1e9) / 1e9, 6, 156, 48])
    if (vendor === 'Ollama') {
      const { data } = await json(await post(gateway, 'embeddings', { model: 'nomic-embed-text', input: 'text' }))
      assert.deepEqual(data[0].embedding, [0.1, 0.2])
    }
    const missing = await post(gateway, 'chat/completions', { model: 'missing', messages: USER })
    assert.equal(missing.status, 404)
  })
}
