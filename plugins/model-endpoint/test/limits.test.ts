import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answersJson, chatStream, messagesStream, mockProvider, streams } from './mock-provider.ts'
import { eventsOf, json, post, provider, spent, start, until } from './support.ts'

const USER = [{ role: 'user', content: 'Hi' }]
const ASKED = { model: 'model-s', messages: USER, max_tokens: 100 }
const LONG = 'x'.repeat(4_000)

test('at the cap a call is answered 402 in the form of its wire, and no provider is asked', async () => {
  await using up = await mockProvider(streams(chatStream(['Hi'])))
  await using gateway = await start({ api: provider('openai', up.baseUrl) }, { models: { 'model-s': { monthlyCapUsd: 0.002 } } })
  await (await post(gateway, 'chat/completions', { ...ASKED, stream: true })).text()
  const chat = await post(gateway, 'chat/completions', ASKED)
  assert.deepEqual([chat.status, (await json(chat)).error.code], [402, 'BUDGET_EXCEEDED'])
  const messages = await post(gateway, 'messages', { ...ASKED, stream: true })
  const { type, error } = await json(messages)
  assert.deepEqual([messages.status, type, error.type], [402, 'error', 'billing_error'])
  assert.match(error.message, /budgets\.models\.model-s\.monthlyCapUsd/)
  assert.equal(up.received.length, 1)
})

for (const [wire, path, begun] of [
  ['openai', 'chat/completions', chatStream([LONG]).slice(0, 1)],
  ['anthropic', 'messages', messagesStream([LONG]).slice(0, 3)],
] as const) {
  test(`a stream of ${path} that reaches its cap is cut with the error event of the wire, and is paid for`, async () => {
    await using up = await mockProvider(streams(begun, { open: true }))
    await using gateway = await start({ api: provider(wire, up.baseUrl) }, { monthlyCapUsd: 0.005 })
    const response = await post(gateway, path, { ...ASKED, max_tokens: 10_000, stream: true })
    assert.equal(response.status, 200)
    const last = eventsOf(await response.text()).at(-1)
    if (wire === 'openai') assert.equal(last.error.code, 'BUDGET_EXCEEDED')
    else assert.deepEqual([last.type, last.error.type], ['error', 'billing_error'])
    await until(async () => (await spent(gateway)) >= 0.01)
    await until(() => up.state.closed === 1)
  })
}

for (const [wire, more, most] of [
  ['openai', {}, 32_000],
  ['openai', { maxOutputTokens: 5_000 }, 5_000],
  ['anthropic', { maxOutputTokens: 5_000 }, 5_000],
] as const)
  test(`a call without a limit to the wire ${wire} reserves ${most} tokens, which are its limit where the wire demands one`, async () => {
    await using up = await mockProvider(() => {})
    await using gateway = await start({ api: provider(wire, up.baseUrl, more) }, { monthlyCapUsd: 1 })
    const leaving = new AbortController()
    const asked = post(gateway, 'chat/completions', { model: 'model-s', messages: USER }, { signal: leaving.signal }).catch(() => undefined)
    await until(() => up.received.length === 1)
    const { heldUsd } = await gateway.call('budgets_status')
    assert.ok(Math.abs(heldUsd - most / 100_000) < 0.001, `${heldUsd} USD are held`)
    const { max_tokens, max_completion_tokens } = up.received[0]?.body ?? {}
    assert.deepEqual([max_tokens, max_completion_tokens], wire === 'openai' ? [undefined, undefined] : [most, undefined])
    leaving.abort()
    await asked
  })

test('an answer in one piece may take as long as an attempt as a whole', async () => {
  const whole = { choices: [{ message: { content: 'Late' }, finish_reason: 'stop' }], usage: { prompt_tokens: 10, completion_tokens: 5 } }
  await using up = await mockProvider((response, request) => void setTimeout(() => answersJson(whole)(response, request), 300))
  await using gateway = await start({ api: provider('openai', up.baseUrl) }, {}, { firstTokenMs: 50 })
  const response = await post(gateway, 'chat/completions', ASKED)
  assert.deepEqual([response.status, (await json(response)).choices[0].message.content, up.received.length], [200, 'Late', 1])
})

test('an answer in one piece that comes too late is asked for once, and paid for with all that it may cost', async () => {
  await using up = await mockProvider(() => {})
  await using gateway = await start({ api: provider('openai', up.baseUrl) }, {}, { firstTokenMs: 50, totalMs: 200, maxHops: 3 })
  const response = await post(gateway, 'chat/completions', ASKED)
  assert.equal(response.status, 503)
  assert.equal(up.received.length, 1)
  const { calls, byModel } = await gateway.call('budgets_breakdown')
  assert.deepEqual([calls, byModel[0].outputTokens], [1, 100])
  assert.ok((await spent(gateway)) >= 0.001)
})

test('a provider that reports an error before its answer begins is not paid, and the next one answers', async () => {
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  await using broken = await mockProvider(streams([`event: error\ndata: ${JSON.stringify(overloaded)}\n\n`]))
  await using up = await mockProvider(streams(messagesStream(['Hi'])))
  const named = { api: provider('anthropic', broken.baseUrl), local: provider('anthropic', up.baseUrl) }
  await using gateway = await start(named, {}, { chain: ['api', 'local'] })
  assert.match(await (await post(gateway, 'messages', { ...ASKED, stream: true })).text(), /"Hi"/)
  assert.deepEqual([broken.received.length, (await gateway.call('budgets_breakdown')).calls], [1, 1])
})

test('a client that disconnects pays for what it received, and the provider is left', async () => {
  await using up = await mockProvider(streams(chatStream([LONG]).slice(0, 1), { open: true }))
  await using gateway = await start({ api: provider('openai', up.baseUrl) })
  const leaving = new AbortController()
  const response = await post(gateway, 'chat/completions', { ...ASKED, stream: true }, { signal: leaving.signal })
  await response.body?.getReader().read()
  leaving.abort()
  await until(async () => (await spent(gateway)) >= 0.01)
  await until(() => up.state.closed === 1)
})

for (const [how, stream, output] of [
  ['streamed', true, 256],
  ['in one piece', false, 1_000],
] as const)
  test(`a client that leaves before the first byte of an answer, ${how}, pays for its prompt and ${output} tokens, so that a cap holds`, async () => {
    await using up = await mockProvider(() => {})
    await using gateway = await start({ api: provider('openai', up.baseUrl) }, { monthlyCapUsd: 0.011 })
    const body = { model: 'model-s', messages: [{ role: 'user', content: LONG }], max_tokens: 1_000, stream }
    const leaving = new AbortController()
    const asked = post(gateway, 'chat/completions', body, { signal: leaving.signal }).catch(() => undefined)
    await until(() => up.received.length === 1)
    leaving.abort()
    await asked
    await until(async () => (await gateway.call('budgets_breakdown')).calls === 1)
    const { byModel } = await gateway.call('budgets_breakdown')
    assert.equal(byModel[0].outputTokens, output)
    assert.ok(byModel[0].inputTokens >= 1_000, `${byModel[0].inputTokens} tokens of the prompt`)
    assert.equal((await gateway.call('budgets_status')).heldUsd, 0)
    if (!stream) assert.equal((await post(gateway, 'chat/completions', body)).status, 402)
  })

test('before the first byte another provider takes over, after it none does', async () => {
  await using broken = await mockProvider(answersJson({ error: { message: 'down' } }, 500))
  await using up = await mockProvider(streams(chatStream(['Hi'])))
  const settings = { chain: ['api', 'local'] }
  await using gateway = await start({ api: provider('openai', broken.baseUrl), local: provider('openai', up.baseUrl) }, {}, settings)
  const text = await (await post(gateway, 'chat/completions', { ...ASKED, stream: true })).text()
  assert.match(text, /"Hi"/)
  broken.state.behave = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chatStream(['Half'])[0])
    setImmediate(() => response.destroy())
  }
  const asked = up.received.length
  const events = eventsOf(await (await post(gateway, 'chat/completions', { ...ASKED, stream: true })).text())
  assert.deepEqual([events[0].choices[0].delta.content, events.at(-1).error.code], ['Half', 'UNAVAILABLE'])
  assert.equal(up.received.length, asked)
})

test('a model of one provider does not fail over to another', async () => {
  await using broken = await mockProvider(answersJson({ error: { message: 'down' } }, 500))
  await using up = await mockProvider(streams(chatStream(['Hi'])))
  const named = { api: provider('openai', broken.baseUrl), local: provider('openai', up.baseUrl) }
  await using gateway = await start(named, {}, { maxHops: 1 })
  const response = await post(gateway, 'chat/completions', { ...ASKED, model: 'api/model-s' })
  assert.deepEqual([response.status, (await json(response)).error.code, up.received.length], [503, 'UNAVAILABLE', 0])
})

test('a refusal of the provider, an unknown model, a bad and a large body have the form and status of the wire', async () => {
  await using up = await mockProvider(answersJson({ error: { message: 'prompt is too long' } }, 400))
  await using gateway = await start({ api: provider('anthropic', up.baseUrl) })
  const refused = await post(gateway, 'messages', ASKED)
  const { error } = await json(refused)
  assert.deepEqual([refused.status, error.type], [400, 'invalid_request_error'])
  assert.match(error.message, /prompt is too long/)
  const unknown = await post(gateway, 'messages', { ...ASKED, model: 'nobody' })
  assert.deepEqual([unknown.status, (await json(unknown)).error.type], [404, 'not_found_error'])
  for (const bad of ['{', '[]']) {
    const response = await post(gateway, 'chat/completions', bad)
    assert.deepEqual([response.status, (await json(response)).error.param], [400, 'body'])
  }
  const large = await post(gateway, 'chat/completions', 'x'.repeat(33_554_433)).catch(() => undefined)
  if (large) assert.deepEqual([large.status, (await json(large)).error.code], [413, 'MODEL_REQUEST_TOO_LARGE'])
})

test('usage that the provider did not report is estimated and marked', async () => {
  const bare = chatStream(['x'.repeat(400)]).filter((piece) => !piece.includes('"usage"'))
  await using up = await mockProvider(streams(bare))
  await using gateway = await start({ api: provider('openai', up.baseUrl) })
  await (await post(gateway, 'chat/completions', { ...ASKED, stream: true })).text()
  const { byModel } = await gateway.call('budgets_breakdown')
  assert.equal(byModel[0].outputTokens, 100)
})
