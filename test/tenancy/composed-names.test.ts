import assert from 'node:assert/strict'
import { test } from 'node:test'
import leases from '@gateway/plugin-leases'
import mailbox from '@gateway/plugin-mailbox'
import memory from '@gateway/plugin-memory'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const composed = 'Größe-ガ'.normalize('NFC')
const decomposed = composed.normalize('NFD')

/** A third party's tool, which answers the arguments that its handler receives. */
const echo = definePlugin({
  id: 'echo',
  sdk: '^1.0.0',
  description: 'Answers its arguments.',
  tools: [
    defineTool({
      name: 'echo',
      description: 'Answers its arguments, for a test.',
      capability: 'read',
      effect: 'read',
      rest: 'GET /api/echo/:name',
      input: Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 7 }),
          tags: Type.Optional(Type.Array(Type.String({ maxLength: 50 }))),
          nested: Type.Optional(Type.Object({ slug: Type.String({ pattern: '^[^/]{1,20}$' }) }, closed)),
          either: Type.Optional(Type.Union([Type.Integer(), Type.String({ maxLength: 50 })])),
          path: Type.Optional(Type.String({ maxLength: 1_000, verbatim: true })),
          content: Type.Optional(Type.String()),
          secret: Type.Optional(Type.String({ maxLength: 100, secret: true })),
        },
        closed,
      ),
      output: Type.Unknown(),
      handle: async (args) => args,
    }),
  ],
})

const start = (): Promise<TestGateway> => startTestGateway({ plugins: [leases, mailbox, memory, tasks, trash, echo] })

test('names in any argument reach every tool in composed form; paths, secrets and content stay as they came', async () => {
  await using gateway = await start()
  // Longer than its bound as it came.
  const args = { name: decomposed.slice(0, -1), tags: [decomposed, 'plain'], nested: { slug: decomposed }, either: decomposed }
  const kept = { path: decomposed, content: decomposed, secret: decomposed }
  const name = args.name.normalize('NFC')
  const expected = { name, tags: [composed, 'plain'], nested: { slug: composed }, either: composed, ...kept }
  assert.deepEqual(await gateway.call('echo', { ...args, ...kept }), expected)
  const { json } = await gateway.inject({ method: 'GET', url: `/api/echo/${encodeURIComponent(args.name)}` })
  assert.deepEqual(json(), { name })
})

test('a lease key is one key in both forms', async () => {
  await using gateway = await start()
  const acquire = (key: string, holder: string) => gateway.call('lease_acquire', { key, holder })
  const [first, second] = [await acquire(`k/${composed}`, 'host/a/1'), await acquire(`k/${decomposed}`, 'host/b/2')]
  assert.deepEqual([first.acquired, second.acquired], [true, false])
})

test('mail to a decomposed address arrives at the composed one, in lists of addresses too', async () => {
  await using gateway = await start()
  await gateway.call('mail_send', { to: decomposed, subject: 'one' })
  await gateway.call('mail_send', { to: composed, subject: 'two' })
  const { messages } = await gateway.call('mail_inbox', { to: `${decomposed},other` })
  assert.equal(messages.length, 2)
})

test('repos, tags and search texts are compared in composed form', async () => {
  await using gateway = await start()
  await gateway.call('tasks_create', { repo: decomposed, title: 'x' })
  assert.equal((await gateway.call('tasks_list', { repo: composed })).tasks.length, 1)
  await gateway.call('memory_store', { content: `Notes on ${decomposed}.`, repo: decomposed, tags: [decomposed] })
  const found = await gateway.call('memory_search', { query: composed, repo: composed, tags: [composed] })
  assert.equal(found.count, 1)
})
