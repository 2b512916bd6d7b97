import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closed, defineCollection, definePlugin, defineTool, Type, throughout } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'

const notes = defineCollection('notes', { schema: Type.Object({ noteId: Type.String(), text: Type.String() }, closed), key: 'noteId' })
const put = defineTool({
  name: 'note_put',
  description: 'For tests.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ text: Type.String() }, closed),
  output: Type.Object({}),
  uses: { notes },
  handle: async ({ text }, { notes }, ctx) => ({ note: await notes.insert({ noteId: ctx.newId('note-'), text }) }),
})
const all = defineTool({
  name: 'note_all',
  description: 'For tests.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object({}),
  uses: { everywhere: throughout(notes) },
  async handle(_, { everywhere }) {
    const found = (await everywhere()).map(async ({ tenantId, collection }) => {
      const texts: string[] = (await collection.find()).items.map(({ text }) => text)
      return [tenantId, ...texts]
    })
    return { found: await Promise.all(found) }
  },
})
const one = defineTool({
  name: 'note_one',
  description: 'For tests.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ of: Type.String() }, closed),
  output: Type.Object({}),
  uses: { everywhere: throughout(notes) },
  handle: async ({ of }, { everywhere }) => ({ found: (await everywhere.of(of).find()).items.map(({ text }) => text) }),
})
const plugin = definePlugin({ id: 'notes', sdk: '^1.0.0', description: 'For tests.', collections: [notes], tools: [put, all, one] })

test('a collection throughout the caller’s reach: the own tenant’s for a tenant’s caller, every tenant’s for the operator', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin] })
  const user = (tenantId: string) => ({ as: { tenantId, kind: 'user', role: 'owner' } }) as const
  for (const tenantId of ['acme', 'bolt']) await gateway.call('note_put', { text: `of ${tenantId}` }, user(tenantId))
  assert.deepEqual((await gateway.call('note_all', {}, user('acme'))).found, [['acme', 'of acme']])
  assert.deepEqual((await gateway.call('note_all', {}, user('none'))).found, [['none']])
  assert.deepEqual((await gateway.call('note_all')).found, [['local'], ['acme', 'of acme'], ['bolt', 'of bolt']])
})

test('a collection in one tenant: the operator has any, a tenant’s caller its own and is refused another', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin] })
  const acme = { as: { tenantId: 'acme', kind: 'user', role: 'owner' } } as const
  await gateway.call('note_put', { text: 'of acme' }, acme)
  for (const options of [acme, {}]) assert.deepEqual(await gateway.call('note_one', { of: 'acme' }, options), { found: ['of acme'] })
  await assert.rejects(gateway.call('note_one', { of: 'local' }, acme), { code: 'FORBIDDEN' })
})

test('a plugin reaches throughout its own collections only', async () => {
  const other = definePlugin({ id: 'other', sdk: '^1.0.0', description: 'For tests.', tools: [all] })
  const owner = definePlugin({ id: 'notes', sdk: '^1.0.0', description: 'For tests.', collections: [notes] })
  await assert.rejects(startTestGateway({ plugins: [owner, other] }), /collection notes is private to plugin 'notes'/)
  await assert.rejects(startTestGateway({ plugins: [other] }), /collection notes is not listed by any plugin/)
})
