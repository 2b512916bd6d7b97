import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, DuplicateKey, definePlugin } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import { sessionIndex } from '../src/api.ts'
import sessions from '../src/index.ts'
import { ACME, agents, client, echo, start } from './support.ts'

async function exported(gateway: Awaited<ReturnType<typeof start>>) {
  const { create, say, close } = client(gateway)
  const id = (await create({ agentName: 'echo', metadata: { topic: 'a' } })).body.sessionId
  for (let at = 0; at < 15; at++) await say(id, `words ${at}`)
  await close(id)
  return gateway.call('session_export', { sessionId: id })
}

test('session_export gives {version, exportedAt, session} with every message', async () => {
  await using gateway = await start()
  const bundle = await exported(gateway)
  assert.deepEqual(Object.keys(bundle).sort(), ['exportedAt', 'session', 'version'])
  assert.deepEqual([bundle.version, bundle.exportedAt], [1, new Date(gateway.clock.now()).toISOString()])
  assert.deepEqual([bundle.session.messages.length, bundle.session.status, bundle.session.metadata], [30, 'closed', { topic: 'a' }])
  await assert.rejects(gateway.call('session_export', { sessionId: 'none' }), { code: 'NOT_FOUND' })
})

test('an import is the importing tenant’s, under a fresh id, and the same otherwise', async () => {
  await using gateway = await start()
  const bundle = await exported(gateway)
  const { session } = await gateway.call('session_import', { bundle }, ACME)
  assert.equal(session.tenantId, 'acme')
  assert.notEqual(session.sessionId, bundle.session.sessionId)
  const again = await gateway.call('session_export', { sessionId: session.sessionId }, ACME)
  assert.deepEqual(again.session, { ...bundle.session, tenantId: 'acme', sessionId: session.sessionId })
  await assert.rejects(gateway.call('session_export', { sessionId: session.sessionId }), { code: 'NOT_FOUND' })
})

test('preserveId keeps the id, and one that is taken is refused', async () => {
  await using gateway = await start()
  const bundle = await exported(gateway)
  const first = await gateway.call('session_import', { bundle, preserveId: true }, ACME)
  assert.equal(first.session.sessionId, bundle.session.sessionId)
  for (const as of [{}, ACME]) await assert.rejects(gateway.call('session_import', { bundle, preserveId: true }, as), { code: 'CONFLICT' })
  assert.equal((await gateway.documents('acme'))['sessions.messages']?.length, 30)
  const fresh = [await gateway.call('session_import', { bundle }), await gateway.call('session_import', { bundle, preserveId: false })]
  assert.equal(new Set([bundle.session.sessionId, ...fresh.map(({ session }) => session.sessionId)]).size, 3)
})

test('an import whose session cannot be indexed yet is stored all the same', async () => {
  const broken = definePlugin({
    id: 'broken-index',
    sdk: '^1.0.0',
    description: 'For tests.',
    contributes: [
      contribute(sessionIndex, {
        create: () => ({
          add: async () => {},
          due: async () => {},
          refresh: () => Promise.reject(DuplicateKey({ collection: 'chunks', fields: ['chunkId'] })),
        }),
      }),
    ],
  })
  await using gateway = await startTestGateway({ plugins: [sessions, agents(echo), broken] })
  const bundle = await exported(gateway)
  const { session } = await gateway.call('session_import', { bundle })
  assert.equal((await gateway.call('session_export', { sessionId: session.sessionId })).session.messages.length, 30)
})

test('an imported session goes on where it ended', async () => {
  await using gateway = await start()
  const { begin, say, read } = client(gateway)
  const id = await begin()
  await say(id, 'one')
  const { session } = await gateway.call('session_import', { bundle: await gateway.call('session_export', { sessionId: id }) })
  await say(session.sessionId, 'two')
  const { messages } = (await read(session.sessionId)).body
  assert.deepEqual(
    messages.map(({ content }: { content: string }) => content),
    ['one', 'You said one', 'two', 'You said two'],
  )
})

test('what is no bundle is refused by the name of its field, and nothing is kept', async () => {
  await using gateway = await start()
  const bundle = await exported(gateway)
  const { session } = bundle
  const wrong: [object, RegExp][] = [
    [{ ...bundle, version: 2 }, /^bundle\.version/],
    [{ ...bundle, exportedAt: 'yesterday' }, /^bundle\.exportedAt/],
    [{ version: 1, exportedAt: bundle.exportedAt }, /^bundle/],
    [{ ...bundle, session: { ...session, agentName: '' } }, /^bundle\.session\.agentName/],
    [{ ...bundle, session: { ...session, sessionId: 'a b' } }, /^bundle\.session\.sessionId/],
    [{ ...bundle, session: { ...session, createdAt: '2026-01-01' } }, /^bundle\.session\.createdAt/],
    [{ ...bundle, session: { ...session, metadata: { 'a.b': 1 } } }, /^bundle\.session\.metadata/],
    [{ ...bundle, session: { ...session, messages: [{ role: 'user' }] } }, /^bundle\.session\.messages\[0\]/],
    [
      { ...bundle, session: { ...session, messages: [{ ...session.messages[0], role: 'system' }] } },
      /^bundle\.session\.messages\[0\]\.role/,
    ],
  ]
  for (const [bad, field] of wrong)
    await assert.rejects(
      gateway.call('session_import', { bundle: bad }, ACME),
      ({ code, details }) => code === 'BAD_REQUEST' && field.test(details.field),
      String(field),
    )
  await assert.rejects(gateway.call('session_import', {}, ACME), { code: 'BAD_REQUEST' })
  const left = await gateway.documents('acme')
  assert.deepEqual([left.sessions, left['sessions.messages']], [[], []])
})

test('session_recall gives recent sessions, of one agent or all, with their last messages and a digest', async () => {
  await using gateway = await start()
  const { begin, say } = client(gateway)
  const ids: string[] = []
  for (let at = 0; at < 7; at++) {
    gateway.clock.advance(1)
    const id = await begin()
    ids.unshift(id)
    for (const words of ['one', 'two', 'three']) await say(id, `${words} in ${at}`)
  }
  const recall = (args: object) => gateway.call('session_recall', args)
  const { sessions, digest } = await recall({})
  assert.deepEqual(
    sessions.map(({ sessionId }: { sessionId: string }) => sessionId),
    ids.slice(0, 5),
  )
  assert.deepEqual(
    sessions[0].messages.map(({ content }: { content: string }) => content),
    ['two in 6', 'You said two in 6', 'three in 6', 'You said three in 6'],
  )
  assert.match(digest, /^# Recent sessions\n\n## echo, /)
  assert.match(digest, /- \*\*user\*\*: three in 6\n- \*\*assistant\*\*: You said three in 6/)
  const less = await recall({ agentName: 'echo', limit: 2, perSessionMessages: 1 })
  assert.deepEqual(
    less.sessions.map(({ messages }: { messages: unknown[] }) => messages.length),
    [1, 1],
  )
  assert.deepEqual((await recall({ perSessionMessages: 0, limit: 1 })).sessions[0].messages, [])
  assert.deepEqual(await recall({ agentName: 'nobody' }), { sessions: [], digest: 'No sessions yet.' })
  assert.equal((await recall({ limit: 1_000, perSessionMessages: 1_000 })).sessions.length, 7)
  assert.deepEqual((await gateway.call('session_recall', {}, ACME)).sessions, [])
})

test('session_recall leaves out sessions of hosts, which have no messages, unless their name is asked for', async () => {
  await using gateway = await start()
  const { begin, say } = client(gateway)
  const id = await begin()
  await say(id, 'hello')
  for (let at = 0; at < 6; at++) {
    gateway.clock.advance(1)
    const body = { sessionId: `h${at}`, host: 'claude-code', repo: 'web' }
    await gateway.inject({ method: 'POST', url: '/api/sessions/begin', body })
  }
  const recalled = async (args: object) =>
    (await gateway.call('session_recall', args)).sessions.map(({ sessionId }: { sessionId: string }) => sessionId)
  assert.deepEqual(await recalled({}), [id])
  assert.deepEqual(await recalled({ agentName: 'claude-code', limit: 2 }), ['h5', 'h4'])
})

test('long messages are cut in a recall, and the digest stays short', async () => {
  await using gateway = await start()
  const { begin, say } = client(gateway)
  for (let at = 0; at < 20; at++) await say(await begin(), 'x'.repeat(9_000))
  const { sessions, digest } = await gateway.call('session_recall', { limit: 20, perSessionMessages: 20 })
  assert.equal(sessions[0].messages[0].content.length, 2_000)
  assert.ok(digest.length <= 16_000)
})

test('a session past its retention goes with its messages, and a tenant under hold keeps them', async () => {
  await using gateway = await start(undefined, { retentionDays: 1 })
  const { begin, say } = client(gateway)
  const old = await begin()
  await say(old, 'hello')
  gateway.clock.advance(86_401)
  const young = await begin()
  await gateway.runJob('sessions.retention')
  const { sessions, ...others } = await gateway.documents()
  assert.deepEqual(
    (sessions as { sessionId: string }[]).map(({ sessionId }) => sessionId),
    [young],
  )
  assert.deepEqual(others['sessions.messages'], [])

  await gateway.tenants.create({ name: 'Acme', plan: 'free', tenantId: 'acme' })
  const bundle = await gateway.call('session_export', { sessionId: young })
  await gateway.call('session_import', { bundle, preserveId: true }, ACME)
  await gateway.tenants.change('acme', { legalHold: true })
  gateway.clock.advance(86_401)
  const kept = async () => ((await gateway.documents('acme')).sessions ?? []).length
  await gateway.runJob('sessions.retention')
  assert.equal(await kept(), 1)
  await gateway.tenants.change('acme', { legalHold: false })
  await gateway.runJob('sessions.retention')
  assert.equal(await kept(), 0)
})

test('a large session is imported over REST, where a body may have eight mebibytes', async () => {
  await using gateway = await start()
  const { session, ...bundle } = await exported(gateway)
  const long = session.messages.map((message: object) => ({ ...message, content: 'x'.repeat(80_000) }))
  const body = { bundle: { ...bundle, session: { ...session, messages: long } } }
  assert.ok(JSON.stringify(body).length > 2_000_000)
  const answer = await gateway.inject({ method: 'POST', url: '/api/tools/session_import', body })
  assert.deepEqual([answer.status, answer.json().session.messageCount], [200, 30])
  const tooLong = { bundle: { ...bundle, session: { ...session, messages: [...long, ...long] } } }
  const refused = await gateway.inject({ method: 'POST', url: '/api/tools/session_import', body: tooLong })
  assert.deepEqual([refused.status, refused.json().details.field], [400, 'bundle.session.messages'])
})
