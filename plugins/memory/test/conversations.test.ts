import assert from 'node:assert/strict'
import { test } from 'node:test'
import sessions from '@gateway/plugin-sessions'
import { sessionRunner } from '@gateway/plugin-sessions/api'
import { contribute, definePlugin } from '@gateway/sdk'
import type { TestGateway } from '@gateway/testing'
import { start } from './support.ts'

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
const begin = () => start({ plugins: [sessions, agents], config: { sessions: { retentionDays: 1 } } })
const ACME = { as: { tenantId: 'acme', id: 'eve', kind: 'user', role: 'owner' } } as const

async function talk(gateway: TestGateway, content: string): Promise<string> {
  const post = async (path: string, body: object) => (await gateway.inject({ method: 'POST', url: `/api/sessions${path}`, body })).json()
  const { sessionId } = await post('', { agentName: 'echo' })
  await post(`/${sessionId}/messages`, { content })
  return sessionId
}
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
  const contents = async () =>
    (await gateway.call('session_export', { sessionId })).session.messages.map(({ content }: { content: string }) => content)
  const before = await contents()
  for (const filter of [
    { repo: 'web' },
    { repo: 'web', query: 'cents' },
    { source: 'archive' },
    { source: 'bug' },
    { before: '2999-01-01' },
  ]) {
    await gateway.call('memory_forget', filter)
    assert.deepEqual(await contents(), before, JSON.stringify(filter))
  }
  await gateway.call('memory_forget', { tags: ['session:message', 'role:user'] })
  assert.deepEqual(await contents(), ['', before[1]])
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
