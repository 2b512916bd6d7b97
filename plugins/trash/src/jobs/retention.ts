import { defineRetention, now } from '@gateway/sdk'
import { trashKind } from '../api.ts'
import { entries } from '../collections.ts'

/** Frees the space of entries that nobody can restore any more. */
export const retention = defineRetention('trash.retention', {
  collection: entries,
  past: () => ({ where: { purgeAfter: { lte: now() } }, sort: { purgeAfter: 1 } }),
  uses: { kinds: trashKind },
  async purged(entries, { kinds }, tx) {
    for (const { kind, purged } of kinds) {
      const own = entries.filter((entry) => entry.kind === kind)
      if (own.length > 0) await purged?.(own, tx)
    }
  },
})
