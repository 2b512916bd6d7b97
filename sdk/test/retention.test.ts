import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAgo, defineCollection, defineConfig, definePlugin, defineRetention, defineTool, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway, testClock } from '@gateway/sdk/testing'

const DAY = 86_400
const closed = { additionalProperties: false }
const notes = defineCollection('notes', {
  schema: Type.Object({ noteId: Type.String(), done: Type.Boolean(), at: Type.String() }, closed),
  key: 'noteId',
  indexes: [{ keys: { done: 1, at: 1 } }],
})
const config = defineConfig('notes', Type.Object({ days: Type.Integer({ default: 10 }) }, closed))
const retention = defineRetention('notes.retention', {
  collection: notes,
  config,
  past: ({ days }) => ({ where: { done: true, at: { lt: daysAgo(days) } }, sort: { at: 1 } }),
})
const plugin = definePlugin({
  id: 'notes',
  sdk: '^1.0.0',
  description: 'Notes.',
  config,
  collections: [notes],
  jobs: [retention],
  tools: [
    defineTool({
      name: 'note_add',
      description: 'For tests.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ count: Type.Integer(), done: Type.Boolean() }, closed),
      output: Type.Object({}),
      uses: { notes },
      async handle({ count, done }, { notes }, ctx) {
        const at = ctx.now().toISOString()
        await notes.insertMany(Array.from({ length: count }, (_, n) => ({ noteId: `${done}-${at}-${n}`, done, at })))
        return {}
      },
    }),
  ],
})

const start = (days?: number) =>
  startTestGateway({ plugins: [plugin], clock: testClock('2026-01-05T09:00:00.000Z'), ...(days && { config: { notes: { days } } }) })
const left = async (gateway: TestGateway, tenantId?: string) => (await gateway.documents(tenantId)).notes?.length

test('what is past its retention goes, in as many batches as it takes; what is not, or does not meet the condition, stays', async () => {
  await using gateway = await start()
  await gateway.call('note_add', { count: 250, done: true })
  await gateway.call('note_add', { count: 3, done: false })
  gateway.clock.advance(5 * DAY)
  await gateway.call('note_add', { count: 2, done: true })
  gateway.clock.advance(5 * DAY)
  await gateway.runJob('notes.retention')
  assert.equal(await left(gateway), 255, 'ten days are not more than ten days')
  gateway.clock.advance(1)
  await gateway.runJob('notes.retention')
  assert.equal(await left(gateway), 5)
})

test('the plugin’s own setting says how long', async () => {
  await using gateway = await start(2)
  await gateway.call('note_add', { count: 1, done: true })
  gateway.clock.advance(2 * DAY + 1)
  await gateway.runJob('notes.retention')
  assert.equal(await left(gateway), 0)
})

test('a tenant under legal hold loses nothing until the hold is over, and the others go on', async () => {
  await using gateway = await start()
  await gateway.tenants.create({ name: 'Acme', plan: 'free', tenantId: 'acme' })
  await gateway.tenants.change('acme', { legalHold: true })
  for (const tenantId of ['acme', 'umbrella']) await gateway.call('note_add', { count: 1, done: true }, { as: { tenantId } })
  gateway.clock.advance(11 * DAY)
  await gateway.runJob('notes.retention')
  assert.deepEqual([await left(gateway, 'acme'), await left(gateway, 'umbrella')], [1, 0])
  await gateway.tenants.change('acme', { legalHold: false })
  await gateway.runJob('notes.retention')
  assert.equal(await left(gateway, 'acme'), 0)
})
