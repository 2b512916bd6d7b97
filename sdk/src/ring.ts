import type { Collection } from './collection/collection.ts'
import type { Transaction } from './collection/transaction.ts'
import { closed } from './objects.ts'
import { Type } from './schema.ts'

/**
 * A collection as a ring: it keeps the newest documents up to a number, and no document beyond an age.
 *
 * 1. Each document’s id ends in its place, a number that rises by one: ids sort as they were written.
 * 2. One record per tenant knows the last place taken and the last one dropped. What is between them is there, so
 *    nothing is ever counted, and what is to go is one range of ids at the ring’s old end.
 * 3. The write that takes places drops what falls out, in the same transaction: a little more than it adds, so that a
 *    ring that was made smaller shrinks in pieces.
 *
 * Documents of a ring are deleted by the ring alone.
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
/** What a ring knows of itself. */
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
  /** Keep at most so many documents. */
  readonly max: number
  /** Whether a document is too old to keep. Older ones stand before younger ones. */
  readonly isPast: (doc: Doc) => boolean
  /** Another collection whose documents go with those of the same id. */
  // biome-ignore lint/suspicious/noExplicitAny: of whatever else they hold nothing is read
  readonly also?: Collection<any>
  /** Told of the documents that are about to go, for what is kept about them in the same transaction. */
  readonly dropping?: (documents: readonly Doc[]) => Promise<void>
}

const NAME = 'ring'
const DIGITS = 15
/** What a write drops beside what it adds: enough to catch up, little enough not to be felt. */
const MORE = 50

/** The id of a place: the prefix and 15 digits. */
export const placeId = (prefix: string, place: number): string => prefix + String(place).padStart(DIGITS, '0')

/** The number of documents a ring holds. */
export async function ringSize(states: Collection<RingState>): Promise<number> {
  const state = await states.get(NAME)
  return state ? state.last - state.dropped : 0
}

/** Take `count` places in the transaction, and drop what falls out. Returns their ids. */
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

  /** The last of the oldest documents that are too old. */
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
