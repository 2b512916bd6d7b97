import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatStream, messagesStream, mockProvider, streams } from './mock-provider.ts'
import { json, post, provider, start } from './support.ts'

const USER = [{ role: 'user', content: 'Hi' }]
/** A body of each wire as JSON, which can hold numbers that JavaScript cannot write. */
const chat = (members: string): string => `{"model":"model-s","messages":${JSON.stringify(USER)},${members}}`
const responses = (members: string): string => `{"model":"model-s","input":"Hi",${members}}`

const NO_LIMITS = ['-1', '-0.5', '1.5', '1e300', '1e999', '10000001', '"100"', '"many"', 'true', '{}', '[100]'] as const

const FIELDS = [
  ['chat/completions', 'max_tokens', chat, [...NO_LIMITS, '0']],
  ['chat/completions', 'max_completion_tokens', chat, [...NO_LIMITS, '0']],
  ['chat/completions', 'n', chat, [...NO_LIMITS, '0', '1001']],
  ['responses', 'max_output_tokens', responses, [...NO_LIMITS, '0']],
  ['messages', 'max_tokens', chat, NO_LIMITS],
] as const

for (const [path, field, body, values] of FIELDS) {
  test(`${field} of ${path} that is no number of tokens is refused by its name, in the form of the wire, for providers of both wires`, async () => {
    await using chats = await mockProvider(streams(chatStream(['Hi'])))
    await using messages = await mockProvider(streams(messagesStream(['Hi'])))
    const named = { api: provider('openai', chats.baseUrl), local: provider('anthropic', messages.baseUrl) }
    await using gateway = await start(named, { monthlyCapUsd: 1 })
    for (const value of values) {
      for (const streamed of ['true', 'false']) {
        const sent = body(`"${field}":${value},"stream":${streamed}`)
        for (const at of ['api', 'local']) {
          const response = await post(gateway, path, sent.replace('model-s', `${at}/model-s`))
          const { error } = await json(response)
          assert.equal(response.status, 400, `${value} at ${at}`)
          assert.match(
            error.message,
            new RegExp(`^\`${field}\` must be (a whole number from [01] to [0-9]+; got |a number that is finite)`),
          )
          if (path === 'messages') assert.equal(error.type, 'invalid_request_error')
          else assert.deepEqual([error.type, error.param, error.code], ['invalid_request_error', field, 'BAD_REQUEST'])
        }
      }
    }
    assert.deepEqual([chats.received.length, messages.received.length], [0, 0])
    const { monthToDateUsd, heldUsd } = await gateway.call('budgets_status')
    assert.deepEqual([monthToDateUsd, heldUsd], [0, 0])
  })
}

test('other numbers and texts that cannot be read are refused where they must be translated, and passed on where they need not', async () => {
  await using chats = await mockProvider(streams(chatStream(['Hi'])))
  await using messages = await mockProvider(streams(messagesStream(['Hi'])))
  const named = { api: provider('openai', chats.baseUrl), local: provider('anthropic', messages.baseUrl) }
  await using gateway = await start(named)
  const wrong = [
    ['temperature', '"hot"'],
    ['temperature', '1e999'],
    ['top_p', '[1]'],
  ] as const
  for (const [field, value] of [...wrong, ['stop', '[1]'] as const]) {
    const response = await post(gateway, 'chat/completions', chat(`"${field}":${value}`).replace('model-s', 'local/model-s'))
    assert.deepEqual([response.status, (await json(response)).error.param], [400, field])
  }
  for (const [field, value] of [...wrong, ['stop_sequences', '[1]'] as const]) {
    const body = chat(`"max_tokens":100,"${field}":${value}`).replace('model-s', 'api/model-s')
    const response = await post(gateway, 'messages', body)
    assert.equal(response.status, 400)
    assert.match((await json(response)).error.message, new RegExp(`^\`${field}\` must be`))
  }
  assert.deepEqual([chats.received.length, messages.received.length], [0, 0])
  await (await post(gateway, 'chat/completions', chat('"temperature":"hot","stream":true').replace('model-s', 'api/model-s'))).text()
  assert.equal(chats.received[0]?.body.temperature, 'hot')
})

test('a limit of null is none, and 0 of messages is passed on to a provider of that wire alone', async () => {
  await using chats = await mockProvider(streams(chatStream(['Hi'])))
  await using messages = await mockProvider(streams(messagesStream([])))
  const named = { api: provider('openai', chats.baseUrl), local: provider('anthropic', messages.baseUrl) }
  await using gateway = await start(named, { monthlyCapUsd: 1 })
  const free = await post(gateway, 'chat/completions', chat('"max_tokens":null,"n":null,"stream":true').replace('model-s', 'api/model-s'))
  assert.equal(free.status, 200)
  await free.text()
  const warm = await post(gateway, 'messages', chat('"max_tokens":0,"stream":true').replace('model-s', 'local/model-s'))
  assert.deepEqual([warm.status, messages.received[0]?.body.max_tokens], [200, 0])
  await warm.text()
  const other = await post(gateway, 'messages', chat('"max_tokens":0').replace('model-s', 'api/model-s'))
  assert.equal(other.status, 400)
})
