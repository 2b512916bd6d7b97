import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answers, begin, events, refuses, standIn, WIRES } from './stand-in.ts'
import { ask, deltas, guard, provider, start, until } from './support.ts'

const SECRET = 'key-that-is-secret'
const prices = { 'model-s': { inputPerMTok: 3, outputPerMTok: 15 } }

for (const wire of WIRES) {
  test(`${wire}: an answer is read as it comes, and its usage is the provider’s own`, async () => {
    await using model = await standIn(answers(wire, { words: ['One', ' two', ' three'] }))
    await using gateway = await start({ api: provider(model.baseUrl, { wire, prices }) })
    const { text, stopReason, usage, provider: by, model: name, tier, hops } = await ask(gateway)
    assert.deepEqual(
      { text, stopReason, by, name, tier, hops },
      { text: 'One two three', stopReason: 'end', by: 'api', name: 'model-s', tier: 'standard', hops: 0 },
    )
    assert.deepEqual(usage, { inputTokens: 11, outputTokens: 7, estimated: false, costUsd: (11 * 3 + 7 * 15) / 1e6, priced: true })
    assert.deepEqual(deltas, [
      { text: 'One', attempt: 0 },
      { text: ' two', attempt: 0 },
      { text: ' three', attempt: 0 },
    ])
  })

  test(`${wire}: the request says what the wire asks for`, async () => {
    await using model = await standIn(answers(wire))
    await using gateway = await start({ api: provider(`${model.baseUrl}/`, { wire }) })
    const messages = [
      { role: 'user', content: 'A' },
      { role: 'assistant', content: 'B' },
      { role: 'user', content: 'C' },
    ]
    await ask(gateway, { system: 'Be brief.', messages, maxTokens: 99, tier: 'premium' })
    const [{ url, headers, body }] = model.received as [(typeof model.received)[0]]
    const common = { model: 'model-p', max_tokens: 99, stream: true }
    if (wire === 'openai') {
      assert.equal(url, '/chat/completions')
      assert.equal(headers.authorization, `Bearer ${SECRET}`)
      const all = [{ role: 'system', content: 'Be brief.' }, ...messages]
      assert.deepEqual(body, { ...common, messages: all, stream_options: { include_usage: true } })
    } else {
      assert.equal(url, '/v1/messages')
      assert.equal(headers['x-api-key'], SECRET)
      assert.equal(headers['anthropic-version'], '2023-06-01')
      assert.deepEqual(body, { ...common, messages, system: 'Be brief.' })
    }
  })

  test(`${wire}: where the provider gives no usage there is an estimate, marked as one`, async () => {
    await using model = await standIn(answers(wire, { words: ['x'.repeat(400)], bare: true }))
    await using gateway = await start({ api: provider(model.baseUrl, { wire }) })
    const { usage } = await ask(gateway, { messages: [{ role: 'user', content: 'y'.repeat(40) }] })
    assert.deepEqual(usage, { inputTokens: 14, outputTokens: 100, estimated: true, costUsd: 0, priced: false })
  })

  test(`${wire}: an answer that comes in one piece is read as well`, async () => {
    const whole =
      wire === 'openai'
        ? {
            choices: [{ message: { role: 'assistant', content: 'All' }, finish_reason: 'length' }],
            usage: { prompt_tokens: 5, completion_tokens: 2 },
          }
        : { content: [{ type: 'text', text: 'All' }], stop_reason: 'max_tokens', usage: { input_tokens: 5, output_tokens: 2 } }
    await using model = await standIn(refuses(200, {}, whole))
    await using gateway = await start({ api: provider(model.baseUrl, { wire }) })
    const { text, stopReason, usage } = await ask(gateway)
    assert.deepEqual(
      { text, stopReason, input: usage.inputTokens, output: usage.outputTokens },
      { text: 'All', stopReason: 'length', input: 5, output: 2 },
    )
  })

  test(`${wire}: a caller that leaves ends the call down to the socket, and pays for what had come`, async () => {
    await using model = await standIn((response) => begin(wire, response))
    const { plugin, settled, released } = guard()
    await using gateway = await start({ api: provider(model.baseUrl, { wire }) }, {}, { plugins: [plugin] })
    deltas.length = 0
    const leaving = new AbortController()
    const asked = ask(gateway, {}, { signal: leaving.signal })
    await until(() => deltas.length > 0)
    leaving.abort(new Error('gone'))
    await assert.rejects(asked)
    await model.received[0]?.closed
    await until(() => settled.length === 1)
    assert.deepEqual(
      { outcome: settled[0]?.outcome, estimated: settled[0]?.estimated, released },
      { outcome: 'failed', estimated: true, released: [] },
    )
  })

  test(`${wire}: the key is in no answer, no refusal and no log, also where the provider repeats it`, async () => {
    await using model = await standIn(refuses(401, {}, { error: { message: `wrong key ${SECRET} at ${'http'}` } }))
    await using gateway = await start({ api: provider(model.baseUrl, { wire }) })
    const refusal = await ask(gateway).catch((error) => error)
    assert.equal(refusal.code, 'MODEL_REFUSED')
    assert.match(refusal.message, /wrong key/)
    const everything = JSON.stringify([
      refusal.message,
      refusal.details,
      gateway.logs,
      await gateway.call('provider_health'),
      await gateway.call('routing_config'),
      await gateway.audit(),
      await gateway.documents(),
    ])
    assert.ok(!everything.includes(SECRET) && !everything.includes(model.baseUrl))
  })
}

test('a model that takes another name for the limit of an answer gets that one alone', async () => {
  await using model = await standIn(answers('openai'))
  await using gateway = await start({ api: provider(model.baseUrl, { limitField: 'max_completion_tokens' }) })
  await ask(gateway, { maxTokens: 99 })
  const { max_tokens: old, max_completion_tokens: limit } = model.received[0]?.body ?? {}
  assert.deepEqual([old, limit], [undefined, 99])
})

test('events of the other wire are no answer', async () => {
  await using model = await standIn((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(events('anthropic').join(''))
  })
  await using gateway = await start({ api: provider(model.baseUrl) }, { maxHops: 0 })
  await assert.rejects(ask(gateway), { code: 'UNAVAILABLE' })
})
