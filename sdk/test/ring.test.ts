import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atomically, defineCollection, definePlugin, defineTool, Type } from '@gateway/sdk'
import { ringSchema, ringSize, takePlaces } from '@gateway/sdk/ring'
import { startTestGateway } from '@gateway/testing'
import fc from 'fast-check'
import { closed } from '../src/index.ts'

const beadSchema = Type.Object({ beadId: Type.String(), at: Type.Integer() }, closed)
const beads = defineCollection('beads', { schema: beadSchema, key: 'beadId' })
const shadows = defineCollection('beads.shadows', { schema: Type.Object({ beadId: Type.String() }, closed), key: 'beadId' })
const rings = defineCollection('beads.rings', { schema: ringSchema, key: 'ring' })

const plugin = definePlugin({
  id: 'beads',
  sdk: '^1.0.0',
  description: 'A ring.',
  collections: [beads, shadows, rings],
  tools: [
    defineTool({
      name: 'bead_add',
      description: 'For tests.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ count: Type.Integer(), max: Type.Integer(), at: Type.Integer(), past: Type.Integer() }, closed),
      output: Type.Object({}),
      uses: { beads, shadows, rings, atomically },
      handle: ({ count, max, at, past }, { beads, shadows, rings, atomically }) =>
        atomically(async (tx) => {
          const isPast = (bead: { at: number }): boolean => bead.at < past
          const ring = { states: rings, documents: beads, also: shadows, key: 'beadId', prefix: 'bead-', max, isPast } as const
          const ids = await takePlaces(ring, count, tx)
          await shadows.in(tx).insertMany(ids.map((beadId) => ({ beadId })))
          return { added: await beads.in(tx).insertMany(ids.map((beadId) => ({ beadId, at }))), size: await ringSize(rings.in(tx)) }
        }),
    }),
  ],
})

test('a ring keeps the newest, knows how many they are, and drops a bounded number with each write', async () => {
  await using gateway = await startTestGateway({ plugins: [plugin] })
  let tenant = 0
  const write = fc.record({
    count: fc.integer({ min: 0, max: 40 }),
    max: fc.integer({ min: 1, max: 120 }),
    age: fc.integer({ min: 1, max: 9 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 12 }), async (writes) => {
      const as = { tenantId: `ring-${++tenant}` }
      let model: { beadId: string; at: number }[] = []
      for (const [at, { count, max, age }] of writes.entries()) {
        const { added, size } = await gateway.call('bead_add', { count, max, at, past: at - age }, { as })
        const before = model.length
        model = [...model, ...added]
        const kept = (await gateway.documents(as.tenantId)).beads as typeof model
        const dropped = model.length - kept.length
        assert.equal(size, kept.length)
        assert.deepEqual(kept, model.slice(dropped), 'what is left is the newest')
        assert.ok(dropped <= count + 50)
        const surplus = model.filter((bead, i) => i < before && (bead.at < at - age || i < model.length - max)).length
        assert.equal(dropped, Math.min(surplus, count + 50))
        const ids = (await gateway.documents(as.tenantId))['beads.shadows'] as { beadId: string }[]
        assert.deepEqual(
          ids.map(({ beadId }) => beadId),
          kept.map(({ beadId }) => beadId),
        )
        model = kept
      }
    }),
    { numRuns: 25 },
  )
})
