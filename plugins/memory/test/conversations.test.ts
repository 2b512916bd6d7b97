import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import sessions from '@gateway/plugin-sessions'
import { sessionRunner } from '@gateway/plugin-sessions/api'
import { contribute, definePlugin, type Plugin } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { memoryContributor } from '../src/api.ts'
import { contents, Files, start } from './support.ts'

const heard: { readonly role: string; readonly content: string }[] = []
const agents = definePlugin({
  id: 'echo-agents',
  sdk: '^1.0.0',
  description: 'An agent for tests.',
  contributes: [
    contribute(sessionRunner, {
      create: () => ({
        knows: async () => true,
        run: async ({ content, history }) => {
          heard.push(...history)
          return { content: `The answer to ${content} is a hoopoe.` }
        },
      }),
    }),
  ],
})
const begin = (plugins: readonly Plugin[] = []) =>
  start({ plugins: [sessions, agents, ...plugins], config: { sessions: { retentionDays: 1 } } })
const ACME = { as: { tenantId: 'acme', id: 'eve', kind: 'user', role: 'owner' } } as const

async function talk(gateway: TestGateway, content: string): Promise<string> {
  const post = async (path: string, body: object) => (await gateway.inject({ method: 'POST', url: `/api/sessions${path}`, body })).json()
  const { sessionId } = await post('', { agentName: 'echo' })
  await post(`/${sessionId}/messages`, { content })
  return sessionId
}
const messagesOf = async (gateway: TestGateway, sessionId: string): Promise<string[]> =>
  (await gateway.call('session_export', { sessionId })).session.messages.map(({ content }: { content: string }) => content)
/** Contents of blocks that have the word themselves: a neighbour is found by it too. */
const recalled = async (gateway: TestGateway, query: string, as?: object): Promise<string[]> =>
  (await gateway.call('recall_session', { query }, as)).blocks
    .map(({ content }: { content: string }) => content)
    .filter((content: string) => content.includes(query))

test('recall_session finds a conversation by a word of its question or its answer, as soon as it is answered, in its tenant', async () => {
  await using gateway = await begin()
  const sessionId = await talk(gateway, 'the lacuna')
  const { blocks } = await gateway.call('recall_session', { query: 'hoopoe' })
  assert.deepEqual([blocks[0].sessionId, blocks[0].content], [sessionId, 'The answer to the lacuna is a hoopoe.'])
  assert.ok((await recalled(gateway, 'lacuna')).includes('the lacuna'))
  assert.deepEqual(await recalled(gateway, 'hoopoe', ACME), [])
  const { activity } = (await gateway.inject({ method: 'GET', url: `/api/sessions/${sessionId}/activity` })).json()
  assert.deepEqual(
    activity.map(({ kind }: { kind: string }) => kind),
    ['message', 'message'],
  )
})

test('an imported conversation is found in the tenant that imports it, and leaves the memory with its session', async () => {
  await using gateway = await begin()
  const bundle = await gateway.call('session_export', { sessionId: await talk(gateway, 'the lacuna') })
  const { session } = await gateway.call('session_import', { bundle }, ACME)
  const { blocks } = await gateway.call('recall_session', { query: 'hoopoe' }, ACME)
  assert.equal(blocks[0].sessionId, session.sessionId)
  await gateway.call('memory_reindex', { scope: 'all' }, ACME)
  assert.equal((await recalled(gateway, 'hoopoe', ACME)).length, 1)
  gateway.clock.advance(86_400 + 1)
  await talk(gateway, 'another')
  await gateway.runJob('sessions.retention')
  await gateway.runJob('memory.refresh-due')
  assert.deepEqual(await recalled(gateway, 'lacuna'), [])
  assert.deepEqual(await recalled(gateway, 'hoopoe'), ['The answer to another is a hoopoe.'])
})

test('what is forgotten of a conversation leaves its messages too', async () => {
  await using gateway = await begin()
  const sessionId = await talk(gateway, 'the lacuna')
  assert.deepEqual(await gateway.call('memory_forget', { query: 'hoopoe' }), { forgotten: 1 })
  const { session } = await gateway.call('session_export', { sessionId })
  assert.deepEqual(
    session.messages.map(({ content }: { content: string }) => content),
    ['the lacuna', ''],
  )
  const { session: again } = await gateway.call('session_import', { bundle: await gateway.call('session_export', { sessionId }) })
  assert.notEqual(again.sessionId, sessionId)
  assert.deepEqual(await recalled(gateway, 'hoopoe'), [])
})

test('forgetting in a repo, by a source or by a time leaves messages of conversations alone', async () => {
  await using gateway = await begin()
  const sessionId = await talk(gateway, 'Prices are in cents.')
  await gateway.call('memory_store', { content: 'Prices are in cents.', repo: 'web', source: 'bug' })
  const before = await messagesOf(gateway, sessionId)
  for (const filter of [
    { repo: 'web' },
    { repo: 'web', query: 'cents' },
    { source: 'archive' },
    { source: 'bug' },
    { before: '2999-01-01' },
  ]) {
    await gateway.call('memory_forget', filter)
    assert.deepEqual(await messagesOf(gateway, sessionId), before, JSON.stringify(filter))
  }
  await gateway.call('memory_forget', { tags: ['session:message', 'role:user'] })
  assert.deepEqual(await messagesOf(gateway, sessionId), ['', before[1]])
})

for (const [order, source] of [
  ['stored and then said', 'bug'],
  ['said and then stored', 'archive'],
] as const)
  test(`a chunk that was ${order} is forgotten, while the message stays, and after the conversation is gone`, async () => {
    await using gateway = await begin()
    const forms = [{ repo: 'web' }, { repo: 'web', query: 'cents' }, { source }, { before: '2999-01-01' }, { tags: ['price'] }]
    for (const isGone of [false, true])
      for (const [at, form] of forms.entries()) {
        const content = `Price ${at} is in cents, ${isGone}.`
        const store = () => gateway.call('memory_store', { content, repo: 'web', source: 'bug', tags: ['price'] })
        if (source === 'bug') await store()
        const sessionId = await talk(gateway, content)
        if (source !== 'bug') await store()
        if (isGone) {
          gateway.clock.advance(86_400 + 1)
          await gateway.runJob('sessions.retention')
          await gateway.runJob('memory.refresh-due')
        }
        assert.deepEqual(await contents(gateway, { query: content, repo: 'web' }), [content])
        const name = `${JSON.stringify(form)}, ${isGone}`
        assert.deepEqual(await gateway.call('memory_forget', { ...form, preview: true }), { forgotten: 1 }, name)
        assert.deepEqual(await gateway.call('memory_forget', form), { forgotten: 1 }, name)
        assert.deepEqual(await gateway.call('memory_forget', form), { forgotten: 0 }, name)
        for (const query of [{ repo: 'web' }, { source: 'bug' }, { tags: ['price'] }])
          assert.deepEqual(
            (await contents(gateway, { query: content, ...query })).filter((one) => one === content),
            [],
            name,
          )
        const { blocks } = await gateway.call('recall_session', { query: content })
        const found = blocks.filter((one: { content: string }) => one.content === content)
        if (isGone) assert.deepEqual(found, [], name)
        else {
          assert.deepEqual([found[0]?.sessionId, found[0]?.source, found[0]?.repo], [sessionId, 'archive', undefined], name)
          assert.equal((await messagesOf(gateway, sessionId))[0], content)
        }
      }
  })

test('a text of a document that was also said is forgotten by its source or time, and by its words in both', async () => {
  const files = new Files()
  await using gateway = await begin([files.plugin])
  const secret = 'The vault is opened by the third lever from the left.'
  const put = async () => {
    files.master.set('a.md', { markdown: secret, source: 'state', cut: 'headings' })
    await gateway.call('memory_reindex', { scope: 'all' })
  }
  await put()
  const sessionId = await talk(gateway, secret)
  await gateway.inject({ method: 'POST', url: `/api/sessions/${sessionId}/messages`, body: { content: 'The garden is open.' } })
  assert.deepEqual(await gateway.call('memory_forget', { before: '2999-01-01', preview: true }), { forgotten: 1 })
  assert.deepEqual(await gateway.call('memory_forget', { source: 'state' }), { forgotten: 1 })
  await put()
  assert.deepEqual(await contents(gateway, { query: 'vault', source: 'state' }), [])
  await gateway.call('memory_forget', { query: 'garden' })
  assert.deepEqual(await messagesOf(gateway, sessionId), [secret, `The answer to ${secret} is a hoopoe.`, '', ''])
  assert.ok((await recalled(gateway, 'vault')).includes(secret), 'reading the conversation again does not lose it')
  await gateway.call('memory_forget', { query: 'vault' })
  assert.deepEqual(await recalled(gateway, 'vault'), [])
  assert.equal((await messagesOf(gateway, sessionId))[0], '')
})

test('a text that was said before a document had it is not forgotten by the source or time of the message', async () => {
  const files = new Files()
  await using gateway = await begin([files.plugin])
  const said = 'The vault is opened by the third lever from the left.'
  await talk(gateway, said)
  files.master.set('a.md', { markdown: said, source: 'state', cut: 'headings' })
  await gateway.call('memory_reindex', { scope: 'all' })
  for (const filter of [{ source: 'archive' }, { before: '2999-01-01' }])
    assert.deepEqual(await gateway.call('memory_forget', filter), { forgotten: 0 })
  gateway.clock.advance(181 * 86_400)
  await gateway.runJob('sessions.retention')
  await gateway.runJob('memory.refresh-due')
  assert.deepEqual(await gateway.call('memory_forget', { before: '2999-01-01' }), { forgotten: 1 }, 'nobody says it any more')
  assert.deepEqual(await contents(gateway, { query: 'vault' }), [])
})

test('a text that was said is forgotten by the tag of a document, and by the source of one that has a session', async () => {
  const files = new Files()
  await using gateway = await begin([files.plugin])
  const [said, noted] = ['The vault is opened by the third lever.', 'The barograph stands on the shelf.']
  await talk(gateway, said)
  files.master.set('a.md', { markdown: said, source: 'state', cut: 'headings', tags: ['branch:main'] })
  files.master.set('b.md', { markdown: noted, source: 'handoff', cut: 'headings', sessionId: 'host-7' })
  await gateway.call('memory_reindex', { scope: 'all' })
  await talk(gateway, noted)
  assert.deepEqual(await gateway.call('memory_forget', { tags: ['branch:main'] }), { forgotten: 1 })
  assert.deepEqual(await gateway.call('memory_forget', { source: 'handoff' }), { forgotten: 1 })
})

test('a message that is forgotten while its conversation is read does not come back', async () => {
  let reading: (() => Promise<void>) | undefined
  const family = definePlugin({
    id: 'slow-sessions',
    sdk: '^1.0.0',
    description: 'Reads one conversation slowly.',
    contributes: [
      contribute(memoryContributor, {
        create: () => ({
          name: 'sessions',
          origins: async () => [
            {
              origin: 'slow',
              async read() {
                const tags = ['session:message']
                const document = {
                  markdown: 'The sextant is in the drawer.',
                  source: 'archive' as const,
                  cut: 'headings' as const,
                  tags,
                  sessionId: 'slow',
                }
                await reading?.()
                return [document]
              },
            },
          ],
        }),
      }),
    ],
  })
  await using gateway = await start({ plugins: [family] })
  await gateway.call('memory_reindex', { scope: 'all' })
  assert.equal((await contents(gateway, { query: 'sextant' })).length, 1)
  reading = async () => {
    reading = undefined
    await gateway.call('memory_forget', { query: 'sextant' })
  }
  await gateway.call('memory_reindex', { scope: 'all' })
  assert.deepEqual(await contents(gateway, { query: 'sextant' }), [])
})

test('a chunk that a repo forgets while a document keeps it is gone with the document', async () => {
  const files = new Files()
  await using gateway = await begin([files.plugin])
  const content = 'Prices are in cents.'
  files.master.set('a.md', { markdown: content, source: 'state', cut: 'headings' })
  await gateway.call('memory_reindex', { scope: 'all' })
  await gateway.call('memory_store', { content, repo: 'web' })
  assert.deepEqual(await gateway.call('memory_forget', { repo: 'web' }), { forgotten: 1 })
  assert.deepEqual(await contents(gateway, { query: 'cents' }), [content])
  files.master.clear()
  await gateway.call('memory_reindex', { scope: 'all' })
  assert.deepEqual(await contents(gateway, { query: 'cents' }), [])
})

test('an agent gets a mark in place of a forgotten message, and the roles still alternate', async () => {
  await using gateway = await begin()
  const sessionId = await talk(gateway, 'the lacuna')
  await gateway.call('memory_forget', { query: 'lacuna' })
  heard.length = 0
  await gateway.inject({ method: 'POST', url: `/api/sessions/${sessionId}/messages`, body: { content: 'go on' } })
  assert.deepEqual(heard, [
    { role: 'user', content: '[no text]' },
    { role: 'assistant', content: '[no text]' },
  ])
})

/** Two conversations that were stored while no family indexed them, and a gateway that has the memory since. */
async function upgraded(use: (gateway: TestGateway, sessionIds: readonly string[]) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-conversations-'))
  try {
    const before = await startTestGateway({ dataDir, plugins: [sessions, agents] })
    const sessionIds = [await talk(before, 'the lacuna'), await talk(before, 'the zeugma')]
    await before.inject({ method: 'POST', url: '/api/sessions/begin', body: { sessionId: 'host-1', host: 'claude-code', repo: 'web' } })
    await before.stop()
    await using gateway = await start({ dataDir, plugins: [sessions, agents] })
    await use(gateway, sessionIds)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

test('conversations that were stored before they were indexed are found after memory_reindex of all, and by themselves', async () => {
  await upgraded(async (gateway, sessionIds) => {
    assert.deepEqual(await recalled(gateway, 'lacuna'), [])
    await gateway.call('memory_reindex')
    assert.deepEqual(await recalled(gateway, 'lacuna'), [])
    const { results, totalStored } = await gateway.call('memory_reindex', { scope: 'all' })
    assert.deepEqual(
      [results.map(({ origin }: { origin: string }) => origin), totalStored],
      [[...sessionIds].sort().map((id) => `sessions:${id}`), 4],
    )
    assert.ok((await recalled(gateway, 'lacuna')).includes('the lacuna'))
    assert.equal((await gateway.call('memory_reindex', { scope: 'all' })).totalStored, 0)
  })
  await upgraded(async (gateway) => {
    await gateway.runJob('memory.catch-up')
    assert.ok((await recalled(gateway, 'lacuna')).includes('the lacuna'))
    assert.ok((await recalled(gateway, 'zeugma')).includes('the zeugma'))
    const caughtUp = await gateway.documents()
    await gateway.runJob('memory.catch-up')
    assert.deepEqual(await gateway.documents(), caughtUp)
  })
})

test('a run of the catch-up is bounded, the next one goes on after a restart, and a record that cannot be read is tried again', async () => {
  const names = Array.from({ length: 5_100 }, (_, index) => String(index).padStart(5, '0'))
  const read: string[] = []
  let faulty = true
  const family = definePlugin({
    id: 'paged',
    sdk: '^1.0.0',
    description: 'A family of a test with more records than one list.',
    contributes: [
      contribute(memoryContributor, {
        create: () => {
          const one = (origin: string) => ({
            origin,
            async read() {
              read.push(origin)
              if (origin === '00002' && faulty) throw new Error('EACCES')
              return origin === '00002' ? [{ markdown: 'The sextant.', source: 'handoff' as const, cut: 'headings' as const }] : []
            },
          })
          return {
            name: 'paged',
            origin: async (name) => one(name),
            async page(after = '') {
              const listed = names.filter((name) => name > after).slice(0, 120)
              const next = listed.at(-1)
              return { origins: listed.map(one), ...(next !== undefined && next !== names.at(-1) && { next }) }
            },
          }
        },
      }),
    ],
  })
  await using gateway = await start({ plugins: [family] })
  await gateway.runJob('memory.catch-up')
  assert.equal(read.length, 5_000)
  await gateway.restart()
  await gateway.runJob('memory.catch-up')
  await gateway.runJob('memory.catch-up')
  assert.deepEqual(read, names)
  faulty = false
  await gateway.runJob('memory.refresh-due')
  assert.deepEqual(await contents(gateway, { query: 'sextant' }), ['The sextant.'])
})

test('memory_reindex of all removes what is left of a conversation that is gone', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-conversations-'))
  try {
    const before = await start({ dataDir, plugins: [sessions, agents] })
    await talk(before, 'the lacuna')
    await before.stop()
    const apart = await startTestGateway({ dataDir, plugins: [sessions, agents], config: { sessions: { retentionDays: 1 } } })
    apart.clock.advance(2 * 86_400)
    await apart.runJob('sessions.retention')
    await apart.stop()
    await using gateway = await start({ dataDir, plugins: [sessions, agents] })
    assert.notDeepEqual(await recalled(gateway, 'lacuna'), [])
    assert.equal((await gateway.call('memory_reindex', { scope: 'all' })).totalRemoved, 2)
    assert.deepEqual(await recalled(gateway, 'lacuna'), [])
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
