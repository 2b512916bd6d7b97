import { daysAgo, defineJob, dueIn } from '@gateway/sdk'
import { journal, states } from '../collections.ts'
import { config } from '../config.ts'
import { noteLooked, noteRemoved, placeAll, placeUses, readState } from '../operations/place.ts'

/** Events removed at once, so that other writers get in between. */
const BATCH = 500

/**
 * Keeps the journal within its limits. It looks once a minute at tenants that wrote, so a journal may exceed its number by the events of
 * a minute; age is looked at in the same round, since a tenant that writes nothing keeps at most its number.
 */
export const retention = defineJob('events.retention', {
  everySeconds: 60,
  due: [dueIn(journal, { pending: true }), dueIn(states, { grown: true })],
  uses: { ...placeUses, config },
  async run({ config, ...refs }, { signal }): Promise<{ purged: number }> {
    await placeAll(refs)
    const { last, removed: before } = await readState(refs)
    let removed = before
    while (!signal.aborted) {
      const past = { place: { gt: removed, lte: removed + BATCH } }
      const old = await refs.journal.find({ where: { ...past, at: { lt: daysAgo(config.retentionDays) } }, sort: { place: -1 }, limit: 1 })
      const next = Math.min(removed + BATCH, Math.max(last - config.kept, old.items[0]?.place ?? 0))
      if (next <= removed) break
      // Noted first: a reader between the two steps receives a gap instead of a part.
      await noteRemoved(refs, next)
      await refs.journal.deleteMany({ place: { lte: next } })
      removed = next
    }
    await noteLooked(refs, last)
    return { purged: removed - before }
  },
})
