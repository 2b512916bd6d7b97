import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answers, refuses, standIn, type WireName } from './stand-in.ts'
import { ask, deltas, guard, health, provider, start } from './support.ts'

const usage = { openai: { prompt_tokens: 20, completion_tokens: 30 }, anthropic: { input_tokens: 20, output_tokens: 30 } }
const openai = (message: object, finish_reason = 'stop') => ({ choices: [{ message, finish_reason }], usage: usage.openai })
const anthropic = (content: unknown, stop_reason = 'end_turn') => ({ content, stop_reason, usage: usage.anthropic })
const streams = (events: readonly object[]) => (response: Parameters<ReturnType<typeof answers>>[0]) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
}
const delta = (content: unknown, finish_reason: string | null = null) => ({ choices: [{ delta: { content }, finish_reason }] })

const parts = [
  { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
  { type: 'text', text: 'Hello' },
  { type: 'image_url', image_url: { url: 'x' } },
  { type: 'output_text', text: ', ' },
  'there',
]
for (const [what, wire, behave] of [
  ['a list of parts', 'openai', refuses(200, {}, openai({ content: parts }))],
  ['a stream of lists of parts', 'openai', streams([delta(parts.slice(0, 3)), delta(parts.slice(3)), delta([], 'stop')])],
  ['a list of blocks', 'anthropic', refuses(200, {}, anthropic([{ type: 'thinking', thinking: 'hm' }, ...parts.slice(1)]))],
  ['a text in place of blocks', 'anthropic', refuses(200, {}, anthropic('Hello, there'))],
  [
    'blocks that begin with text',
    'anthropic',
    streams([
      { type: 'message_start', message: {} },
      { type: 'content_block_start', content_block: { type: 'text', text: 'Hello' } },
      { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'hm' } },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: ', there' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ]),
  ],
] as const)
  test(`${wire}: the text of an answer that is ${what} is joined`, async () => {
    await using model = await standIn(behave)
    await using gateway = await start({ api: provider(model.baseUrl, { wire }) })
    assert.equal((await ask(gateway)).text, 'Hello, there')
    assert.equal(deltas.map(({ text }) => text).join(''), 'Hello, there')
  })

const silent: readonly (readonly [what: string, wire: WireName, behave: ReturnType<typeof answers>, says: RegExp])[] = [
  ['null', 'openai', refuses(200, {}, openai({ content: null })), /no text: it is empty/],
  ['empty', 'openai', refuses(200, {}, openai({ content: '' })), /no text: it is empty/],
  ['blanks', 'openai', refuses(200, {}, openai({ content: ' \n' })), /no text: it is empty/],
  ['an empty list', 'openai', refuses(200, {}, openai({ content: [] })), /no text: it is empty/],
  ['an empty stream', 'openai', streams([delta('', 'stop')]), /no text: it is empty/],
  ['reasoning alone', 'openai', refuses(200, {}, openai({ content: null, reasoning_content: 'hm' })), /reasoning alone/],
  ['reasoning up to the limit', 'openai', refuses(200, {}, openai({ content: null, reasoning: 'hm' }, 'length')), /limit of tokens/],
  ['withheld by a filter', 'openai', refuses(200, {}, openai({ content: null }, 'content_filter')), /filter withheld/],
  ['no blocks', 'anthropic', refuses(200, {}, anthropic([])), /no text: it is empty/],
  ['thinking alone', 'anthropic', refuses(200, {}, anthropic([{ type: 'thinking', thinking: 'hm' }])), /reasoning alone/],
  ['a refusal', 'anthropic', refuses(200, {}, anthropic([], 'refusal')), /it refused/],
]
for (const [what, wire, behave, says] of silent) {
  test(`${wire}: after an answer that is ${what} the next provider answers, and both are paid for`, async () => {
    await using model = await standIn(behave)
    await using other = await standIn(answers(wire, { words: ['sound'] }))
    const { plugin, settled, released } = guard()
    const named = { api: provider(model.baseUrl, { wire }), provider_b: provider(other.baseUrl, { wire }) }
    await using gateway = await start(named, { chain: ['api', 'provider_b'] }, { plugins: [plugin] })
    const { text, provider: by, hops, routing } = await ask(gateway)
    assert.deepEqual({ text, by, hops, from: routing.failoverFrom }, { text: 'sound', by: 'provider_b', hops: 1, from: 'api' })
    assert.match(routing.failoverReason, says)
    assert.deepEqual(
      settled.map(({ provider, outcome }) => [provider, outcome]),
      [
        ['api', 'failed'],
        ['provider_b', 'ok'],
      ],
    )
    assert.deepEqual(released, [])
    const { circuitBreaker } = await health(gateway, 'api')
    assert.deepEqual([circuitBreaker.state, circuitBreaker.failures], ['closed', 0])
  })

  test(`${wire}: an answer that is ${what} is told as such where no other provider is left, and is asked for once`, async () => {
    await using model = await standIn(behave)
    await using gateway = await start({ api: provider(model.baseUrl, { wire }) })
    const refusal = await ask(gateway).catch((error) => error)
    assert.equal(refusal.code, 'UNAVAILABLE')
    assert.match(refusal.message, says)
    assert.equal(model.received.length, 1)
  })
}

test('what an answer without text took is charged by the provider’s own counts', async () => {
  await using model = await standIn(refuses(200, {}, openai({ content: null, reasoning_content: 'hm' })))
  const { plugin, settled } = guard()
  const prices = { 'model-s': { inputPerMTok: 3, outputPerMTok: 15 } }
  await using gateway = await start({ api: provider(model.baseUrl, { prices }) }, {}, { plugins: [plugin] })
  await assert.rejects(ask(gateway))
  const [{ inputTokens, outputTokens, estimated, costUsd } = {}] = settled as Partial<(typeof settled)[0]>[]
  assert.deepEqual([inputTokens, outputTokens, estimated, costUsd], [20, 30, false, (20 * 3 + 30 * 15) / 1e6])
})

for (const [what, message] of [
  ['beside its content', { content: null, refusal: 'I will not.' }],
  ['beside empty content', { content: '', refusal: 'I will not.' }],
  ['among its parts', { content: [{ type: 'refusal', refusal: 'I will not.' }] }],
] as const)
  test(`a refusal ${what} is the text, and the answer says that it is one`, async () => {
    await using model = await standIn(refuses(200, {}, openai(message)))
    await using gateway = await start({ api: provider(model.baseUrl) })
    const { text, stopReason } = await ask(gateway)
    assert.deepEqual([text, stopReason], ['I will not.', 'filtered'])
  })

for (const { wire, stops } of [
  { wire: 'anthropic', stops: ['max_tokens', 'model_context_window_exceeded', 'pause_turn'] },
  { wire: 'openai', stops: ['length', 'model_length', 'insufficient_system_resource'] },
] as const) {
  test(`${wire}: an answer that is unfinished, for whatever reason, is told as cut off`, async () => {
    for (const stop of stops) {
      const answer = wire === 'anthropic' ? anthropic([{ type: 'text', text: 'The first' }], stop) : openai({ content: 'The first' }, stop)
      await using model = await standIn(refuses(200, {}, answer))
      await using gateway = await start({ api: provider(model.baseUrl, { wire }) })
      assert.equal((await ask(gateway)).stopReason, 'length', stop)
    }
  })
}
