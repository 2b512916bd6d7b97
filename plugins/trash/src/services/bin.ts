import { type CallContext, DAY_MS, defined, type Filter, type Infer, now, provide, type Resolved } from '@gateway/sdk'
import { type TrashBin, type TrashChoice, trashBin, trashKind } from '../api.ts'
import { entries } from '../collections.ts'
import { config } from '../config.ts'

/** Equal times are ordered by id: ids rise with time, also within one millisecond. */
export const newestFirst = { deletedAt: -1, trashId: -1 } as const

/** The end of retention is judged by the store’s clock and takes effect at once; removal comes later. */
export const stillKept = { purgeAfter: { gt: now() } } as const

const uses = { entries, kinds: trashKind, config }

export const bin = provide(trashBin, { uses, create: createBin })

function createBin({ entries, kinds, config }: Resolved<typeof uses>, ctx: CallContext): TrashBin {
  return {
    async put({ payload, repo, reason, ...facts }, tx) {
      // A record of an unknown kind could never be restored: that is a fault of the calling plugin, not of its caller.
      if (!kinds.some(({ kind }) => kind === facts.kind)) {
        throw new Error(`No running plugin contributes the trash kind '${facts.kind}': contribute it to '${trashKind.id}'.`)
      }
      const entry = {
        trashId: ctx.newId('trash-'),
        ...facts,
        ...defined({ repo, reason }),
        deletedAt: tx.now.toISOString(),
        purgeAfter: new Date(tx.now.getTime() + config.retentionDays * DAY_MS).toISOString(),
      }
      await entries.in(tx).insert({ ...entry, payload })
      return entry
    },

    async take(choice, tx) {
      const bin = entries.in(tx)
      const { items } = await bin.find({ where: { ...chosen(choice), ...stillKept }, sort: newestFirst, limit: 1 })
      return items[0] && bin.deleteOne(items[0].trashId)
    },

    async giveBack(entry, tx) {
      await entries.in(tx).insert(entry)
    },
  }
}

function chosen({ kind, trashId, itemId }: TrashChoice): Filter<Infer<typeof entries.schema>> {
  if (trashId !== undefined) return { kind, trashId }
  if (itemId !== undefined) return { kind, itemId }
  throw new Error('Restoring from the trash needs a trashId or an itemId.')
}
