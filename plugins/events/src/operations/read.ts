import { type Infer, type Resolved, Type } from '@gateway/sdk'
import { placeOf } from '../rules/cursor.ts'
import { shownEvent } from '../rules/stored.ts'
import { JournalEvent } from '../schema.ts'
import { placeAll, placeUses, readState } from './place.ts'

export const readUses = placeUses

export interface JournalQuery {
  readonly since?: string | undefined
  /** Names of events; absent for all. */
  readonly events?: readonly string[] | undefined
  readonly limit: number
  /** Name of the cursor in errors. */
  readonly field?: string
}

export const JournalPage = Type.Object({
  events: Type.Array(JournalEvent),
  cursor: Type.String({ description: '`since` for the next call.' }),
  more: Type.Boolean({ description: 'More events are available now.' }),
  gap: Type.Boolean({ description: 'Events after `since` were removed before they were read.' }),
})
export type JournalPage = Infer<typeof JournalPage>

/** Events that one call looks at; with a filter it may return fewer, and `more`. */
const LOOK = 2_000
const PAGE = 500
/** Bytes of one answer, well below the limit of an answer. */
const MAX_BYTES = 1_048_576

export async function readJournal(refs: Resolved<typeof readUses>, { since, events, limit, field }: JournalQuery): Promise<JournalPage> {
  await placeAll(refs)
  const { last, removed } = await readState(refs)
  const start = placeOf(since, last, field)
  // A reader without a cursor asks for what is kept; one with the cursor 0 began before the first event.
  let gap = since !== undefined && since !== '' && start < removed
  const wanted = events && new Set(events)
  const found: JournalEvent[] = []
  let bytes = 0
  let at = Math.max(start, removed)
  for (let looked = 0; looked < LOOK && at < last; ) {
    const { items } = await refs.journal.find({
      where: { place: { gt: at, lte: last } },
      sort: { place: 1 },
      limit: PAGE,
      maxBytes: MAX_BYTES,
    })
    // Places have no holes, so what is missing was removed since the state was read. A reader without a cursor misses nothing at its start.
    const isAsked = (since !== undefined && since !== '') || looked > 0
    if (isAsked && items[0]?.place !== at + 1) gap = true
    if (items.length === 0) at = last
    for (const stored of items) {
      const isWanted = wanted?.has(stored.event) ?? true
      const size = stored.data?.length ?? 0
      if (isWanted && (found.length === limit || (found.length > 0 && bytes + size > MAX_BYTES)))
        return { events: found, cursor: String(at), more: true, gap }
      if (isWanted) {
        found.push(shownEvent(stored))
        bytes += size
      }
      at = stored.place ?? at
      looked++
    }
  }
  return { events: found, cursor: String(at), more: at < last, gap }
}

/** The latest events, newest first, for people who look. */
export async function latestEvents(refs: Resolved<typeof readUses>, limit: number): Promise<JournalPage> {
  await placeAll(refs)
  const { last, removed } = await readState(refs)
  const { items } = await refs.journal.find({ where: { place: { gt: removed } }, sort: { place: -1 }, limit, maxBytes: MAX_BYTES })
  return { events: items.map(shownEvent), cursor: String(last), more: false, gap: false }
}
