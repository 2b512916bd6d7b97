import { leaseService, StaleFence } from '@gateway/plugin-leases/api'
import { atomically, closed, defineCollection, definePlugin, defineTool, type Infer, Type } from '@gateway/sdk'

const Entry = Type.Object({ entryId: Type.String(), key: Type.String(), fence: Type.Integer(), place: Type.Integer() }, closed)
export type Entry = Infer<typeof Entry>

const entries = defineCollection('ledger', { schema: Entry, key: 'entryId', indexes: [{ keys: { key: 1, place: 1 } }] })
const lengths = defineCollection('ledger.lengths', {
  schema: Type.Object({ key: Type.String(), length: Type.Integer() }, closed),
  key: 'key',
})

const write = defineTool({
  name: 'ledger_write',
  description: 'Write an entry at the end of a ledger that the lease of its key guards. Returns {at}, the store’s time.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ key: Type.String(), entryId: Type.String(), fence: Type.Integer({ description: 'Of the lease.' }) }, closed),
  output: Type.Object({ at: Type.String() }, closed),
  errors: [StaleFence],
  uses: { entries, lengths, leases: leaseService, atomically },
  handle: ({ key, entryId, fence }, { entries, lengths, leases, atomically }) =>
    atomically(async (tx) => {
      await leases.guard({ key, fence }, tx)
      const { length } = await lengths.in(tx).upsert({ key, length: 1 }, { inc: { length: 1 } })
      await entries.in(tx).insert({ entryId, key, fence, place: length })
      return { at: tx.now.toISOString() }
    }),
})

const read = defineTool({
  name: 'ledger_read',
  description: 'List the entries of a ledger, from the first. Returns {entries, nextCursor?}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ key: Type.String(), cursor: Type.Optional(Type.String()) }, closed),
  output: Type.Object({ entries: Type.Array(Entry), nextCursor: Type.Optional(Type.String()) }, closed),
  uses: { entries },
  async handle({ key, cursor }, { entries }) {
    const page = await entries.find({ where: { key }, sort: { place: 1 }, limit: 1_000, ...(cursor !== undefined && { cursor }) })
    return { entries: [...page.items], ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) }
  },
})

/** A resource guarded as another family would do it: only the holder of the lease writes. */
export const ledger = definePlugin({
  id: 'ledger',
  sdk: '^1.0.0',
  description: 'Ledgers that only the holder of a lease may write to.',
  collections: [entries, lengths],
  tools: [write, read],
})
