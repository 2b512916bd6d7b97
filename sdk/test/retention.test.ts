import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CallContext,
  type Collection,
  daysAgo,
  defineCollection,
  defineConfig,
  definePlugin,
  defineRetention,
  defineTool,
  type Filter,
  type Infer,
  type Query,
  Type,
} from '@gateway/sdk'
import { startTestGateway, type TestGateway, testClock } from '@gateway/testing'
import { closed } from '../src/index.ts'

const DAY = 86_400
const notes = defineCollection('notes', {
  schema: Type.Object({ noteId: Type.String(), done: Type.Boolean(), at: Type.String() }, closed),
  key: 'noteId',
  indexes: [{ keys: { done: 1, at: 1 } }],
})
type Note = Infer<typeof notes.schema>
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

test('what is changed while it is looked at stays, a hold counts from the next batch on, and a stop ends it', async () => {
  const run = retention.run as unknown as (uses: object, ctx: Pick<CallContext, 'tenantId' | 'signal'>) => Promise<{ purged: number }>
  const stop = new AbortController()
  let between: (notes: Collection<Note>) => Promise<void> = async () => {}
  let held = false
  const purge = defineTool({
    name: 'note_purge',
    description: 'For tests.',
    capability: 'work',
    effect: 'write',
    input: Type.Object({}, closed),
    output: Type.Object({}),
    uses: { notes, config },
    async handle(_, { notes, config }, { tenantId }) {
      const documents = Object.assign(Object.create(notes), {
        find: async (query: Query<Note>) => {
          const page = await notes.find(query)
          await between(notes)
          return page
        },
        deleteMany: (where: Filter<Note>) => notes.deleteMany(where),
      })
      return run({ documents, config, tenants: { isHeld: async () => held } }, { tenantId, signal: stop.signal })
    },
  })
  await using gateway = await startTestGateway({
    plugins: [{ ...plugin, tools: [...plugin.tools, purge] }],
    clock: testClock('2026-01-05T09:00:00.000Z'),
  })
  await gateway.call('note_add', { count: 350, done: true })
  gateway.clock.advance(11 * DAY)
  between = async (notes) => void (await notes.updateOne('true-2026-01-05T09:00:00.000Z-0', { set: { done: false } }))
  held = true
  assert.deepEqual([await gateway.call('note_purge'), await left(gateway)], [{ purged: 0 }, 350])
  held = false
  const holding = between
  between = async (notes) => {
    await holding(notes)
    held = true
  }
  assert.deepEqual([await gateway.call('note_purge'), await left(gateway)], [{ purged: 99 }, 251])
  held = false
  between = async () => stop.abort()
  assert.deepEqual([await gateway.call('note_purge'), await left(gateway)], [{ purged: 100 }, 151])
})

test('what is kept because of a document goes with it, or neither does', async () => {
  const marks = defineCollection('notes.marks', {
    schema: Type.Object({ noteId: Type.String(), text: Type.String() }, closed),
    key: 'noteId',
  })
  let refuse = true
  const told: number[] = []
  const marked = {
    ...plugin,
    collections: [notes, marks],
    jobs: [
      defineRetention('notes.retention', {
        collection: notes,
        past: () => ({ where: { at: { lt: daysAgo(10) } }, sort: { at: 1 } }),
        uses: { marks },
        async purged(notes, { marks }, tx) {
          told.push(notes.length)
          for (const { noteId } of notes) await marks.in(tx).deleteOne(noteId)
          if (refuse) throw new Error('not now')
        },
      }),
    ],
    tools: [
      ...plugin.tools,
      defineTool({
        name: 'note_mark_all',
        description: 'For tests.',
        capability: 'work',
        effect: 'write',
        input: Type.Object({}, closed),
        output: Type.Object({}),
        uses: { notes, marks },
        async handle(_, { notes, marks }) {
          const { items } = await notes.find({ limit: 1_000 })
          await marks.insertMany(items.map(({ noteId }) => ({ noteId, text: 'x' })))
          return {}
        },
      }),
    ],
  }
  await using gateway = await startTestGateway({ plugins: [marked], clock: testClock('2026-01-05T09:00:00.000Z') })
  const kept = async () => Object.entries(await gateway.documents()).flatMap(([id, { length }]) => (id.startsWith('notes') ? [length] : []))
  await gateway.call('note_add', { count: 120, done: true })
  gateway.clock.advance(DAY)
  await gateway.call('note_add', { count: 3, done: true })
  await gateway.call('note_mark_all')
  gateway.clock.advance(10 * DAY)
  await gateway.runJob('notes.retention')
  assert.deepEqual([await kept(), told], [[123, 123], [100]])
  refuse = false
  await gateway.runJob('notes.retention')
  assert.deepEqual(
    [await kept(), told],
    [
      [3, 3],
      [100, 100, 20],
    ],
  )
})

// Never called; the compiler checks it.
export const unset = (): unknown =>
  defineRetention('notes.unset', {
    collection: notes,
    // @ts-expect-error without settings there is nothing to say how long
    past: ({ days }: { days: number }) => ({ where: { at: { lt: daysAgo(days) } }, sort: { at: 1 } }),
  })
export const taken = (): unknown =>
  defineRetention('notes.taken', {
    collection: notes,
    past: () => ({ where: {}, sort: {} }),
    // @ts-expect-error the job has that name for what it removes
    uses: { documents: notes },
  })
