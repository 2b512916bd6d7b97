import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answersJson, type Behaviour, chatStream, messagesStream, mockProvider, streams } from './mock-provider.ts'
import { json, post, provider, spent, start, type TestGateway } from './support.ts'

const ASKED = { model: 'model-s', messages: [{ role: 'user', content: 'Hi' }], system: 'Be brief.' }
const COUNT = 'messages/count_tokens'
const counts = answersJson({ input_tokens: 14 })

/** The count, and true if it is an estimate. */
async function countOf(gateway: TestGateway, body: object = ASKED): Promise<readonly [number, boolean]> {
  const response = await post(gateway, COUNT, body)
  const answer = await json(response)
  assert.deepEqual([response.status, Object.keys(answer)], [200, ['input_tokens']], JSON.stringify(answer))
  return [answer.input_tokens, response.headers.get('x-gateway-estimated') === 'true']
}

test('a provider of messages counts a prompt itself: the body and beta headers reach it unchanged, and nothing is charged', async () => {
  await using up = await mockProvider(counts)
  await using gateway = await start({ api: provider('anthropic', up.baseUrl) }, { monthlyCapUsd: 100 })
  const body = { ...ASKED, model: 'standard', thinking: { type: 'enabled', budget_tokens: 1_024 } }
  const response = await post(gateway, `${COUNT}?beta=true`, body, { headers: { 'anthropic-beta': 'b-1' } })
  assert.deepEqual([response.status, await json(response)], [200, { input_tokens: 14 }])
  assert.equal(response.headers.get('x-gateway-estimated'), null)
  const [{ url, headers, body: received } = assert.fail()] = up.received
  assert.deepEqual([url, headers['anthropic-beta'], headers['x-api-key']], ['/v1/messages/count_tokens', 'b-1', 'key-of-the-provider'])
  assert.deepEqual(received, { ...body, model: 'model-s' })
  const { calls } = await gateway.call('budgets_breakdown')
  assert.deepEqual([await spent(gateway), calls], [0, 0])
  assert.equal((await gateway.documents())['budgets.reservations']?.length ?? 0, 0)
})

test('the estimate of a prompt is what a call with that body is reserved and charged by', async () => {
  const bare = chatStream(['Hello']).filter((piece) => !piece.includes('"usage"'))
  await using up = await mockProvider(streams(bare))
  await using gateway = await start({ api: provider('openai', up.baseUrl) })
  const body = { ...ASKED, max_tokens: 100, tools: [{ name: 'weather', input_schema: { type: 'object' } }] }
  const estimate = await countOf(gateway, body)
  assert.equal(up.received.length, 0)
  assert.equal((await post(gateway, 'messages', body)).status, 200)
  const { byModel } = await gateway.call('budgets_breakdown')
  assert.deepEqual(estimate, [byModel[0].inputTokens, true])
  const [withoutLimit] = await countOf(gateway)
  assert.ok(withoutLimit > 0 && withoutLimit < estimate[0])
})

for (const { name, behave } of [
  { name: 'has no counts', behave: answersJson({ error: { message: 'no such path' } }, 404) },
  { name: 'fails', behave: answersJson({ error: { message: 'down' } }, 500) },
  { name: 'allows no more calls', behave: answersJson({ error: { message: 'later' } }, 429) },
  { name: 'counts nothing', behave: answersJson({ input_tokens: 0 }) },
  { name: 'answers something else', behave: streams(messagesStream(['Hello'])) },
] satisfies { name: string; behave: Behaviour }[]) {
  test(`a provider that ${name} is asked once, and the gateway's estimate is the answer`, async () => {
    await using up = await mockProvider(behave)
    await using gateway = await start({ api: provider('anthropic', up.baseUrl) })
    const [tokens, isEstimate] = await countOf(gateway)
    assert.deepEqual([isEstimate, tokens > 10, up.received.length], [true, true, 1])
  })
}

test('counts that fail keep no call from the provider, and stop by themselves', async () => {
  const failing = answersJson({ error: { message: 'down' } }, 500)
  await using up = await mockProvider((response, request) =>
    (request.url === '/v1/messages' ? streams(messagesStream(['Hello'])) : failing)(response, request),
  )
  const limits = { failureThreshold: 2, requestsPerMinute: 1_000 }
  await using gateway = await start({ api: provider('anthropic', up.baseUrl) }, {}, limits)
  for (let n = 0; n < 20; n++) assert.equal((await countOf(gateway))[1], true)
  const asked = up.received.length
  assert.ok(asked < 20, `${asked} of 20`)
  assert.equal((await post(gateway, 'messages', { ...ASKED, max_tokens: 10 })).status, 200)
  const { providers } = await gateway.call('provider_health')
  assert.deepEqual([providers[0].circuitBreaker.state, up.received.length], ['closed', asked + 1])
})

test('no count is asked for at a provider whose breaker is open, or that is in maintenance', async () => {
  await using up = await mockProvider(answersJson({ error: { message: 'down' } }, 500))
  await using gateway = await start({ api: provider('anthropic', up.baseUrl) }, {}, { failureThreshold: 1, maxHops: 0 })
  await post(gateway, 'messages', { ...ASKED, max_tokens: 10 })
  up.state.behave = counts
  assert.equal((await countOf(gateway))[1], true)
  await gateway.call('provider_reset', { provider: 'api' })
  assert.deepEqual(await countOf(gateway), [14, false])
  await gateway.call('provider_maintenance_enter', { provider: 'api' })
  assert.equal((await countOf(gateway))[1], true)
  assert.equal(up.received.length, 2)
})

test('a count is answered at a cap that refuses calls', async () => {
  await using up = await mockProvider((response, request) =>
    (request.url === '/v1/messages' ? streams(messagesStream(['Hello'])) : counts)(response, request),
  )
  await using gateway = await start({ api: provider('anthropic', up.baseUrl) }, { models: { 'model-s': { monthlyCapUsd: 0.001 } } })
  const call = { ...ASKED, max_tokens: 10, stream: true }
  await (await post(gateway, 'messages', call)).text()
  assert.equal((await post(gateway, 'messages', call)).status, 402)
  assert.deepEqual(await countOf(gateway), [14, false])
})

test('a count is refused as its call would be: by the field, the model, the body, or the provider', async () => {
  await using up = await mockProvider(answersJson({ error: { message: 'messages.0.role: wrong' } }, 400))
  await using other = await mockProvider(counts)
  const models = { standard: 'model-o' }
  await using gateway = await start({ api: provider('anthropic', up.baseUrl), local: provider('openai', other.baseUrl, { models }) })
  const refusal = async (body: object | string) => {
    const response = await post(gateway, COUNT, body)
    const { type, error } = await json(response)
    assert.equal(type, 'error')
    return [response.status, error.type, error.message] as const
  }
  for (const [body, says] of [
    ['{', /`body`/],
    [{ messages: ASKED.messages }, /`model`/],
    [{ model: 'model-s' }, /`messages`/],
    [{ ...ASKED, messages: 'Hi' }, /`messages`/],
    [{ ...ASKED, model: 'model-o', container: 'c' }, /`container`/],
  ] as const) {
    const [status, type, message] = await refusal(body)
    assert.deepEqual([status, type], [400, 'invalid_request_error'])
    assert.match(message, says)
  }
  assert.equal(up.received.length + other.received.length, 0)
  assert.deepEqual((await refusal({ ...ASKED, model: 'nobody' })).slice(0, 2), [404, 'not_found_error'])
  const [status, type, message] = await refusal(ASKED)
  assert.deepEqual([status, type], [400, 'invalid_request_error'])
  assert.match(message, /messages\.0\.role: wrong/)
  up.state.behave = answersJson({ error: { message: 'bad key' } }, 401)
  assert.equal((await refusal(ASKED))[0], 502)
  const large = await post(gateway, COUNT, 'x'.repeat(33_554_433)).catch(() => undefined)
  if (large) assert.equal(large.status, 413)
})
