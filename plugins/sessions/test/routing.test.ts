import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunAnswer, RunRequest } from '../src/api.ts'
import { client, start, unconfigured } from './support.ts'

test('an agent that fails is told as 500, and the message is kept as failed, with the reason', async () => {
  await using gateway = await start(async () => {
    throw new Error('it burst.')
  })
  const { begin, say, read } = client(gateway)
  const id = await begin()
  const { status, body } = await say(id, 'hello')
  const [message] = (await read(id)).body.messages
  assert.deepEqual(
    [status, body.code, body.details.reason, body.details.messageId],
    [500, 'SESSION_ROUTING_FAILED', 'it burst.', message.messageId],
  )
  assert.deepEqual([message.state, message.error], ['failed', 'it burst.'])
})

test('providers that are not configured are UNAVAILABLE, and the message is kept', async () => {
  await using gateway = await start(unconfigured)
  const { begin, say, read } = client(gateway)
  const id = await begin()
  assert.equal((await say(id, 'hello')).status, 503)
  assert.equal((await read(id)).body.messages[0].state, 'failed')
})

test('the agent is told what was answered before, oldest first, and nothing that was not', async () => {
  const seen: RunRequest[] = []
  await using gateway = await start(async (request) => {
    seen.push(request)
    if (request.content === 'bad') throw new Error('no.')
    return { content: `re ${request.content}` }
  })
  const { begin, say } = client(gateway)
  const id = await begin()
  for (const content of ['one', 'bad', 'two']) await say(id, content, { metadata: { n: 1 } })
  const last = seen.at(-1)
  assert.deepEqual(
    [last?.sessionId, last?.agentName, last?.content, last?.metadata, last?.history],
    [
      id,
      'echo',
      'two',
      { n: 1 },
      [
        { role: 'user', content: 'one' },
        { role: 'assistant', content: 're one' },
      ],
    ],
  )
})

test('of a long conversation the agent is told the end', async () => {
  let told: RunRequest | undefined
  await using gateway = await start(async (request) => {
    told = request
    return { content: 'x'.repeat(90_000) }
  })
  const { begin, say } = client(gateway)
  const id = await begin()
  for (const content of ['a', 'b', 'c']) await say(id, content)
  assert.deepEqual(
    told?.history.map(({ role, content }) => [role, content.length]),
    [
      ['user', 1],
      ['assistant', 90_000],
    ],
  )
})

test('an agent that dawdles is told to end, and the message has failed', async () => {
  let told: AbortSignal | undefined
  await using gateway = await start(
    ({ signal }) => {
      told = signal
      return new Promise(() => undefined)
    },
    { answerSeconds: 1 },
  )
  const { begin, say, read } = client(gateway)
  const id = await begin()
  const { status, body } = await say(id, 'hello')
  assert.deepEqual([status, body.details.reason, told?.aborted], [500, 'no answer within 1 s.', true])
  assert.equal((await read(id)).body.messages[0].state, 'failed')
})

test('a message whose answer was cut off is there, pending until nobody can wait for it any more, then failed', async () => {
  let asked = (): void => undefined
  const isAsked = new Promise<void>((resolve) => (asked = resolve))
  let releaseHost = (): void => undefined
  const answer = new Promise<RunAnswer>((resolve) => (releaseHost = () => resolve({ content: 'late' })))
  await using gateway = await start(() => {
    asked()
    return answer
  })
  const { begin, say, read } = client(gateway)
  const id = await begin()
  const said = say(id, 'hello')
  await isAsked
  assert.equal((await read(id)).body.messages[0].state, 'pending')
  gateway.clock.advance(661)
  const [message] = (await read(id)).body.messages
  assert.deepEqual([message.content, message.state, message.error], ['hello', 'failed', 'The gateway stopped before the answer arrived.'])
  releaseHost()
  await said
})

test('messages at once are all kept, each answered once, in places of their own', async () => {
  await using gateway = await start()
  const { begin, say } = client(gateway)
  const id = await begin()
  await Promise.all(Array.from({ length: 10 }, (_, at) => say(id, `words ${at}.`)))
  const { session } = await gateway.call('session_export', { sessionId: id })
  assert.deepEqual([session.messageCount, session.messages.length], [20, 20])
  for (const { replyTo, content } of session.messages.filter(({ role }: { role: string }) => role === 'assistant')) {
    const said = session.messages.find(({ messageId }: { messageId: string }) => messageId === replyTo)
    assert.equal(content, `You said ${said.content}`)
  }
})

test('a session that is full takes no more, and can still be exported', async () => {
  await using gateway = await start(async () => ({ content: 'x'.repeat(100_000) }))
  const { begin, say } = client(gateway)
  const id = await begin()
  const statuses: number[] = []
  for (let at = 0; at < 20; at++) statuses.push((await say(id, 'y'.repeat(100_000))).status)
  assert.deepEqual([...new Set(statuses)], [200, 409])
  const bundle = await gateway.call('session_export', { sessionId: id })
  assert.ok(JSON.stringify(bundle).length < 4_000_000)
})
