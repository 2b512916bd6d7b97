import { atomically, type Infer, type Resolved } from '@gateway/sdk'
import { journal, states } from '../collections.ts'

export const placeUses = { journal, states, atomically }
type Refs = Resolved<typeof placeUses>
export type State = Infer<typeof states.schema>

const JOURNAL = 'journal'
/** Events that get their places in one transaction, so that other writers get in between. */
const BATCH = 200

export const readState = async ({ states }: Pick<Refs, 'states'>): Promise<State> =>
  (await states.get(JOURNAL)) ?? { journal: JOURNAL, last: 0, removed: 0 }

export const noteRemoved = ({ states }: Pick<Refs, 'states'>, removed: number) => states.updateOne(JOURNAL, { max: { removed } })

/** Ends a round of the retention, unless the journal has grown during it. */
export const noteLooked = ({ states }: Pick<Refs, 'states'>, last: number) => states.updateOne(JOURNAL, { unset: ['grown'] }, { last })

/**
 * Gives every event of the tenant its place, in the order of the changes. An event that is committed later gets a later place, whichever
 * node wrote it, so no cursor ever passes an event that is still to come.
 */
export async function placeAll(refs: Refs): Promise<void> {
  while ((await placeSome(refs)) === BATCH);
}

async function placeSome(refs: Refs): Promise<number> {
  const waiting = { where: { pending: true }, sort: { at: 1 }, limit: BATCH } as const
  // Looks first, because a transaction without work would still hold up others.
  if ((await refs.journal.find({ ...waiting, limit: 1 })).items.length === 0) return 0
  return refs.atomically(async (tx) => {
    const journal = refs.journal.in(tx)
    const { items } = await journal.find(waiting)
    if (items.length === 0) return 0
    const first = { journal: JOURNAL, last: items.length, removed: 0, grown: true } as const
    const { last } = await refs.states.in(tx).upsert(first, { inc: { last: items.length }, set: { grown: true } })
    for (const [index, { eventId }] of items.entries())
      await journal.updateOne(eventId, { set: { place: last - items.length + 1 + index }, unset: ['pending'] })
    return items.length
  })
}
