import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answersJson, chatStream, event, messagesStream, mockProvider, streams } from './mock-provider.ts'
import { eventsOf, json, post, provider, spent, start } from './support.ts'

/** A model with a public price. */
const PUBLIC = 'gpt-5.5'
const USER = [{ role: 'user', content: 'Hi' }]

test('unknown members reach a provider of the same wire, and those of its answer the client', async () => {
  const answer = {
    id: 'up-1',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello', annotations: [] }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1_000, completion_tokens: 100 },
    fingerprint: 'f',
  }
  await using up = await mockProvider(answersJson(answer))
  await using gateway = await start({ api: provider('openai', up.baseUrl) })
  const response = await post(gateway, 'chat/completions', { model: 'api/model-s', messages: USER, logit_bias: { 1: 2 }, seed: 7 })
  assert.deepEqual([response.status, await json(response)], [200, answer])
  const [{ url, body, headers } = assert.fail()] = up.received
  assert.equal(url, '/chat/completions')
  assert.deepEqual(body, { model: 'model-s', messages: USER, logit_bias: { 1: 2 }, seed: 7 })
  assert.equal(headers.authorization, 'Bearer key-of-the-provider')
  assert.equal(await spent(gateway), 0.002)
})

test('a body reaches a provider of the same wire as it was written, but for its model and the report of usage', async () => {
  await using up = await mockProvider(streams(chatStream(['Hi'])))
  await using gateway = await start({ api: provider('openai', up.baseUrl), local: provider('anthropic', up.baseUrl) })
  const sent = async (path: string, body: string): Promise<string | undefined> => {
    await (await post(gateway, path, body)).text()
    return up.received.at(-1)?.text
  }
  const rest = String.raw`"seed":12345678901234567890, "top_p": 1.0,"b":{"2":"\\\"}","1":[1e2,{"model":"m"}]},"é\"":"\u0061"`
  const messages = String.raw`"messages":[{"role":"user","content":"{\"model\": \"x\"}"}]`
  const plain = (model: string, end = ' }') => `{ "model": ${model}, ${messages},${rest}${end}`
  assert.equal(await sent('chat/completions', plain('"api/model-s" ')), plain('"model-s"').replace(': "model-s"', ':"model-s"'))
  const asked = (options: string) => `{${messages},"stream":true,${options}"model":"api/model-s",${rest}}`
  const named = (options: string, more = '') => `{${messages},"stream":true,${options}"model":"model-s",${rest}${more}}`
  const counted = '"stream_options":{ "include_usage": true, "n": 1.0 },'
  assert.equal(await sent('chat/completions', asked(counted)), named(counted))
  const added = '"stream_options":{"include_usage":true}'
  assert.equal(await sent('chat/completions', asked('')), named('', `,${added}`))
  assert.equal(await sent('chat/completions', asked('"stream_options" : null,')), named(`${added.replace(':', ' :')},`))
  const limited = `{"max_tokens":5,"model":"local/model-s",${messages},${rest}}`
  assert.equal(await sent('messages', limited), limited.replace('local/', ''))
})

test('of a member that occurs twice a provider receives the one that the gateway has read', async () => {
  await using up = await mockProvider(streams(chatStream(['Hi'])))
  await using gateway = await start({ api: provider('openai', up.baseUrl) })
  const twice = '{"model":"dear","max_tokens":9000,"messages":[{"role":"user","content":"Hi"}],"max_tokens":5,"mod\\u0065l":"api/model-s"}'
  await (await post(gateway, 'chat/completions', twice)).text()
  assert.equal(up.received[0]?.text, '{"model":"model-s","max_tokens":5,"messages":[{"role":"user","content":"Hi"}]}')
})

test('a stream of the same wire arrives event for event, without a report of usage that was not asked for', async () => {
  await using up = await mockProvider(streams(chatStream(['Hel', 'lo'])))
  await using gateway = await start({ api: provider('openai', up.baseUrl) })
  const asked = { model: 'standard', messages: USER, stream: true }
  const plain = await (await post(gateway, 'chat/completions', asked)).text()
  assert.equal(plain, [...chatStream(['Hel', 'lo']).slice(0, 3), event('[DONE]')].join(''))
  const counted = await (await post(gateway, 'chat/completions', { ...asked, stream_options: { include_usage: true } })).text()
  assert.equal(counted, chatStream(['Hel', 'lo']).join(''))
  assert.equal(await spent(gateway), 0.004)
})

test('messages pass unchanged with their beta headers, streamed by name of event', async () => {
  await using up = await mockProvider(streams(messagesStream(['Hel', 'lo'])))
  await using gateway = await start({ api: provider('anthropic', up.baseUrl) })
  const thinking = { type: 'enabled', budget_tokens: 1_024 }
  const response = await post(
    gateway,
    'messages?beta=true',
    { model: 'model-s', max_tokens: 50, messages: USER, thinking, stream: true },
    { headers: { 'anthropic-beta': 'b-1' } },
  )
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(await response.text(), messagesStream(['Hel', 'lo']).join(''))
  const [{ url, body, headers } = assert.fail()] = up.received
  assert.deepEqual([url, body.thinking, headers['anthropic-beta']], ['/v1/messages', thinking, 'b-1'])
  assert.equal(await spent(gateway), 0.002)
})

test('embeddings go to the address of the provider and cost their tokens', async () => {
  const answer = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.5] }], usage: { prompt_tokens: 2_000 } }
  await using up = await mockProvider(answersJson(answer))
  await using gateway = await start({ api: provider('openai', up.baseUrl) })
  const response = await post(gateway, 'embeddings', { model: 'embed-s', input: 'text', dimensions: 1 })
  assert.deepEqual([response.status, await json(response)], [200, answer])
  assert.deepEqual([up.received[0]?.url, up.received[0]?.body.dimensions], ['/embeddings', 1])
  assert.equal(await spent(gateway), 0.002)
})

test('the list of models names tiers, models and models of one provider, for clients of both wires', async () => {
  await using gateway = await start({ api: provider('openai', 'http://127.0.0.1:9') })
  const { status, json } = await gateway.inject({ method: 'GET', url: '/v1/models' })
  const { object, data, has_more } = json()
  const ids = data.map(({ id }: { id: string }) => id)
  assert.deepEqual([status, object, has_more], [200, 'list', false])
  assert.deepEqual(ids, ['standard', 'model-s', 'embed-s', 'api/model-s', 'api/embed-s'])
})

test('pages of models follow one another in both directions, and a model is shown by its name, slashes included', async () => {
  await using gateway = await start({ api: provider('openai', 'http://127.0.0.1:9') })
  const get = async (path: string) => {
    const { status, json } = await gateway.inject({ method: 'GET', url: `/v1/models${path}` })
    return { status, ...json() }
  }
  const page = async (query: string) => {
    const { data, has_more } = await get(query)
    return [data.map(({ id }: { id: string }) => id), has_more]
  }
  assert.deepEqual(await page('?limit=2'), [['standard', 'model-s'], true])
  assert.deepEqual(await page('?limit=2&after_id=model-s'), [['embed-s', 'api/model-s'], true])
  assert.deepEqual(await page('?limit=2&after_id=api/model-s'), [['api/embed-s'], false])
  assert.deepEqual(await page('?limit=2&before_id=api/embed-s'), [['embed-s', 'api/model-s'], true])
  assert.equal((await get('?after_id=nope')).error.param, 'after_id')
  assert.equal((await get('/api%2Fmodel-s')).id, 'api/model-s')
  const { status, error } = await get('/nope')
  assert.deepEqual([status, error.code, error.param], [404, 'model_not_found', 'model'])
})

test('a call is listed with its model, channel and agent', async () => {
  await using up = await mockProvider(streams(chatStream(['Hi'])))
  await using gateway = await start({ api: provider('openai', up.baseUrl) })
  const headers = { 'x-gateway-agent': 'coder' }
  await (await post(gateway, 'chat/completions', { model: 'model-s', messages: USER, stream: true }, { headers })).text()
  const { byAgent, byChannel } = await gateway.call('budgets_breakdown')
  assert.deepEqual([byAgent[0].agent, byChannel[0].channel], ['coder', 'model-endpoint'])
})

test('a call for a task is listed with it, and a header that names nothing is refused', async () => {
  await using up = await mockProvider(streams(chatStream(['Hi'])))
  await using gateway = await start({ api: provider('openai', up.baseUrl) })
  const ask = (task: string) =>
    post(gateway, 'chat/completions', { model: 'model-s', messages: USER, stream: true }, { headers: { 'x-gateway-task': task } })
  await (await ask('task-1')).text()
  const [row] = (await gateway.documents())['budgets.spend'] as readonly { taskId?: string }[]
  assert.equal(row?.taskId, 'task-1')
  const refused = await ask('x'.repeat(201))
  assert.deepEqual([refused.status, (await json(refused)).error.param], [400, 'x-gateway-task'])
})

test('the events of a stream hold all of what the provider said', async () => {
  await using up = await mockProvider(streams(chatStream(['a', 'b'], { name: 'look', arguments: '{"x":1}' })))
  await using gateway = await start({ api: provider('openai', up.baseUrl) })
  const events = eventsOf(await (await post(gateway, 'chat/completions', { model: 'model-s', messages: USER, stream: true })).text())
  assert.equal(events[2].choices[0].delta.tool_calls[0].function.name, 'look')
})

test('a faster service is passed on, reserved at the most that it may cost, and paid for as the answer names it', async () => {
  const usage = { prompt_tokens: 1_000, completion_tokens: 100 }
  const chat = (service_tier?: string) =>
    answersJson({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }], usage, service_tier })
  await using chats = await mockProvider(chat())
  await using messages = await mockProvider(streams(messagesStream(['Hi'])))
  const priced = { ...provider('openai', chats.baseUrl), prices: {}, models: { standard: PUBLIC } }
  await using gateway = await start({ api: priced, local: provider('anthropic', messages.baseUrl, { prices: {} }) })
  let before = 0
  const costOf = async (path: string, body: object): Promise<number> => {
    const response = await post(gateway, path, { max_tokens: 100, messages: USER, ...body })
    assert.equal(response.status, 200, await response.text())
    const now = await spent(gateway)
    const cost = now - before
    before = now
    return Math.round(cost * 1e9)
  }
  const usual = await costOf('chat/completions', { model: PUBLIC })
  assert.ok(usual > 0)
  for (const [asked, answered, times] of [
    ['priority', 'priority', 2.5],
    ['priority', 'default', 1],
    ['priority', undefined, 2.5],
    ['a-new-one', undefined, 2.5],
    ['auto', 'priority', 2.5],
    ['flex', 'flex', 1],
  ] as const) {
    chats.state.behave = chat(answered)
    assert.equal(
      await costOf('chat/completions', { model: PUBLIC, service_tier: asked }),
      Math.round(usual * times),
      `${asked}, ${answered}`,
    )
    assert.equal(chats.received.at(-1)?.body.service_tier, asked)
  }
  // A translated request asks for the usual service.
  chats.state.behave = streams(chatStream(['Hi']))
  assert.equal(await costOf('messages', { model: `api/${PUBLIC}`, speed: 'fast' }), usual)
  assert.equal(chats.received.at(-1)?.body.speed, undefined)
})
