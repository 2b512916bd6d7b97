import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestGateway } from '@gateway/testing'
import sessions from '../src/index.ts'
import { ACME, client, start } from './support.ts'

test('a session is begun with 201, listed in summary, read with its metadata, and closed', async () => {
  await using gateway = await start()
  const { create, list, read, close } = client(gateway)
  const { status, body } = await create({ agentName: 'echo', metadata: { topic: 'a' } })
  const { sessionId } = body
  assert.deepEqual([status, body], [201, { sessionId, agentName: 'echo', status: 'active' }])
  const at = new Date(gateway.clock.now()).toISOString()
  const summary = {
    sessionId,
    agentName: 'echo',
    status: 'active',
    metadata: { topic: 'a' },
    createdAt: at,
    updatedAt: at,
    messageCount: 0,
    tenantId: 'local',
  }
  assert.deepEqual((await list()).body, { count: 1, sessions: [summary] })
  assert.deepEqual((await read(sessionId)).body, { ...summary, messages: [] })
  assert.deepEqual(await close(sessionId), { status: 200, body: { status: 'closed' } })
  const closed = (await read(sessionId)).body
  assert.deepEqual([closed.status, typeof closed.closedAt], ['closed', 'string'])
  assert.deepEqual(await close(sessionId), { status: 200, body: { status: 'closed' } }, 'closing is idempotent')
  assert.deepEqual(await close('none'), { status: 200, body: { status: 'closed' } })
})

test('a message is routed to the agent, and its answer comes back and stays', async () => {
  await using gateway = await start()
  const { begin, say, read } = client(gateway)
  const sessionId = await begin()
  const { status, body } = await say(sessionId, 'hello', { metadata: { from: 'me' } })
  assert.deepEqual(
    [status, body],
    [200, { sessionId, agentName: 'echo', messageId: body.messageId, response: { model: 'none', content: 'You said hello' } }],
  )
  const { messages, messageCount } = (await read(sessionId)).body
  const createdAt = new Date(gateway.clock.now()).toISOString()
  assert.deepEqual(messages, [
    { messageId: body.messageId, role: 'user', content: 'hello', state: 'answered', metadata: { from: 'me' }, createdAt },
    { messageId: messages[1].messageId, role: 'assistant', content: 'You said hello', replyTo: body.messageId, createdAt },
  ])
  assert.equal(messageCount, 2)
})

test('the detail has the last 20 messages, oldest first; the list has no message', async () => {
  await using gateway = await start()
  const { begin, say, read, list } = client(gateway)
  const sessionId = await begin()
  for (let at = 0; at < 12; at++) await say(sessionId, `words ${at}`)
  const { messages, messageCount } = (await read(sessionId)).body
  assert.equal(messageCount, 24)
  assert.equal(messages.length, 20)
  assert.deepEqual([messages[0].content, messages.at(-1).content], ['words 2', 'You said words 11'])
  assert.doesNotMatch(JSON.stringify((await list()).body), /words|messages"/)
})

test('the list shows the newest first', async () => {
  await using gateway = await start()
  const { begin, say, list } = client(gateway)
  const [first, second] = [await begin(), await begin()]
  gateway.clock.advance(1)
  await say(first, 'hello')
  assert.deepEqual(
    (await list()).body.sessions.map((one: { sessionId: string }) => one.sessionId),
    [first, second],
  )
})

test('what is missing or unknown is 400 and 404, as the routes say', async () => {
  await using gateway = await start()
  const { create, begin, say, read } = client(gateway)
  const id = await begin()
  assert.deepEqual(
    [
      (await create({})).status,
      (await create({ agentName: ' ' })).status,
      (await create({ agentName: '\u0007' })).status,
      (await create({ agentName: 'nobody' })).status,
      (await create({ agentName: 'echo', metadata: { $where: 1 } })).status,
      (await create({ agentName: 'echo', metadata: { long: 'x'.repeat(9_000) } })).status,
      (await say(id, undefined)).status,
      (await say(id, '  ')).status,
      (await say('none', 'hello')).status,
      (await read('none')).status,
    ],
    [400, 400, 400, 404, 400, 400, 400, 400, 404, 404],
  )
  assert.equal((await read(id)).body.messageCount, 0)
})

test('a closed session takes no message', async () => {
  await using gateway = await start()
  const { begin, say, close, read } = client(gateway)
  const id = await begin()
  await close(id)
  assert.equal((await say(id, 'hello')).status, 409)
  assert.equal((await read(id)).body.messageCount, 0)
})

test('without a family of agents a session is begun, and its messages are kept and told to be UNAVAILABLE by the setting’s name', async () => {
  await using gateway = await startTestGateway({ plugins: [sessions] })
  const { create, say, read } = client(gateway)
  const id = (await create({ agentName: 'anyone' })).body.sessionId
  const { status, body } = await say(id, 'hello')
  assert.deepEqual([status, body.code, body.details.setting], [503, 'UNAVAILABLE', 'plugins.providers.providers'])
  const [message] = (await read(id)).body.messages
  assert.deepEqual([message.content, message.state], ['hello', 'failed'])
})

test('GET /status counts sessions, and those that are open', async () => {
  await using gateway = await start()
  const { begin, close } = client(gateway)
  await begin()
  await close(await begin())
  const status = await gateway.inject({ method: 'GET', url: '/status' })
  assert.deepEqual(status.json().sessions, { total: 2, active: 1 })
})

test('another tenant has none of it', async () => {
  await using gateway = await start()
  const id = await client(gateway).begin()
  assert.deepEqual(await gateway.call('sessions.list', {}, ACME), { count: 0, sessions: [] })
  for (const [name, args] of [
    ['sessions.read', {}],
    ['sessions.post-message', { content: 'x' }],
  ] as const)
    await assert.rejects(gateway.call(name, { id, ...args }, ACME), { code: 'NOT_FOUND' })
  await gateway.call('sessions.close', { id }, ACME)
  assert.equal((await client(gateway).read(id)).body.status, 'active')
})
