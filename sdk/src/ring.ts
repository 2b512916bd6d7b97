import type { Collection } from './collection/collection.ts'
import type { Transaction } from './collection/transaction.ts'
import { closed } from './objects.ts'
import { Type } from './schema.ts'

/**
 * A collection as a ring: it keeps the newest documents up to a number, and none beyond an age.
 *
 * 1. Each document's id ends in its place, a number that rises by one, so ids sort in the order of writing.
 * 2. One record per tenant holds the last place taken and the last one dropped. Everything between them exists, so nothing is
 *    ever counted, and documents to drop are one range of ids at the old end of the ring.
 * 3. The write that takes places drops old documents in the same transaction: a little more than it adds, so that a ring that
 *    was made smaller shrinks in pieces.
 *
 * Documents of a ring are deleted only by the ring.
 */
export const ringSchema = Type.Object(
  {
    ring: Type.String(),
    /** The last place taken; the first is 1. */
    last: Type.Integer(),
    /** Places up to this one are empty again. */
    dropped: Type.Integer(),
  },
  closed,
)
/** State of a ring. */
export interface RingState {
  readonly ring: string
  readonly last: number
  readonly dropped: number
}

interface Ring<Doc> {
  readonly states: Collection<RingState>
  readonly documents: Collection<Doc>
  /** The field that holds the id. */
  readonly key: keyof Doc & string
  readonly prefix: string
  /** Maximum number of documents. */
  readonly max: number
  /** True if a document is too old to keep. Older documents come before younger ones. */
  readonly isPast: (doc: Doc) => boolean
  /**
   * Another collection whose documents are removed with those of the same id.
   */
  // biome-ignore lint/suspicious/noExplicitAny: of whatever else they hold nothing is read
  readonly also?: Collection<any>
  /** Receives the documents that are about to be dropped, to update related records in the same transaction. */
  readonly dropping?: (documents: readonly Doc[]) => Promise<void>
}

const NAME = 'ring'
const DIGITS = 15
/** Number of documents that a write drops beyond what it adds: enough to catch up, small enough not to be noticed. */
const MORE = 50

/** Id of a place: the prefix and 15 digits. */
export const placeId = (prefix: string, place: number): string => prefix + String(place).padStart(DIGITS, '0')

/** Returns the number of documents in a ring. */
export async function ringSize(states: Collection<RingState>): Promise<number> {
  const state = await states.get(NAME)
  return state ? state.last - state.dropped : 0
}

/** Takes `count` places in the transaction and drops old documents. Returns the ids of the places. */
export async function takePlaces<Doc extends object>(ring: Ring<Doc>, count: number, tx: Transaction): Promise<readonly string[]> {
  const states = ring.states.in(tx)
  const documents = ring.documents.in(tx)
  const state = await states.upsert({ ring: NAME, last: count, dropped: 0 }, { inc: { last: count } })
  const atMost = state.dropped + count + MORE
  const until = Math.min(Math.max(state.last - ring.max, await past()), atMost, state.last - count)
  if (until > state.dropped) {
    if (ring.dropping) await ring.dropping(await oldest(until))
    await documents.deleteMany(between(state.dropped, until) as never)
    await ring.also?.in(tx).deleteMany(between(state.dropped, until) as never)
    await states.updateOne(NAME, { set: { dropped: until } })
  }
  return Array.from({ length: count }, (_, i) => placeId(ring.prefix, state.last - count + 1 + i))

  /** Returns the last document that is too old. */
  async function past(): Promise<number> {
    const [first] = await oldest(atMost, 1)
    if (!first || !ring.isPast(first)) return 0
    const last = (await oldest(atMost)).filter(ring.isPast).at(-1) as Doc
    return Number(String(last[ring.key]).slice(ring.prefix.length))
  }

  async function oldest(until: number, limit = count + MORE): Promise<readonly Doc[]> {
    return (await documents.find({ where: between(state.dropped, until) as never, sort: { [ring.key]: 1 } as never, limit })).items
  }

  function between(after: number, until: number): object {
    return { [ring.key]: { gt: placeId(ring.prefix, after), lte: placeId(ring.prefix, until) } }
  }
}
