import { type Db, MongoBulkWriteError, type Collection as MongoCollection } from 'mongodb'
import { isDuplicate, type Layout } from './layout.ts'
import { SCHEMA_COLLECTION } from './schema-version.ts'

/** Declaration of the texts of a collection, as the nodes that have it tell the others. */
interface Announced {
  readonly _id: string
  readonly collection: string
  readonly stamp: string
  /** A greater number is a later declaration. Two that were first seen at the same moment may have the same. */
  readonly order: number
  /** Store time in epoch milliseconds. */
  readonly seenAt: number
}

/** A declaration counts for this long after one of its nodes was seen: three missed passes of each of them. */
const SEEN_FOR_MS = 3 * 60_000
const ANNOUNCED_EVERY_MS = 30_000

/**
 * Order of the declarations of texts in a database. During an upgrade two versions work on it, and without an order each would split
 * the texts of the other again. A declaration is later than all that were there when it was first seen. It counts while its nodes
 * run, so that after a return to an earlier version the earlier declaration is the latest again.
 */
export class TextDeclarations {
  readonly #docs: MongoCollection<Announced>
  readonly #layouts: readonly Layout[]
  readonly #now: () => number
  #announcedAt = Number.NEGATIVE_INFINITY

  constructor(db: Db, layouts: readonly Layout[], now: () => number) {
    this.#docs = db.collection<Announced>(SCHEMA_COLLECTION)
    this.#layouts = layouts
    this.#now = now
  }

  /** Tells the nodes of other versions that this one runs. */
  async announce(): Promise<void> {
    const now = this.#now()
    if (this.#layouts.length === 0 || Math.abs(now - this.#announcedAt) < ANNOUNCED_EVERY_MS) return
    const known = await this.#docs.find({ collection: { $in: this.#layouts.map(({ id }) => id) } }).toArray()
    const writes = this.#layouts.map(({ id, stamp }) => {
      const order = 1 + Math.max(0, ...known.filter(({ collection }) => collection === id).map((one) => one.order))
      const update = { $max: { seenAt: now }, $setOnInsert: { collection: id, stamp: stamp as string, order } }
      return { updateOne: { filter: { _id: `words:${id}:${stamp}` }, update, upsert: true } }
    })
    try {
      await this.#docs.bulkWrite(writes, { ordered: false })
    } catch (error) {
      // Another node of this version announced it at the same moment.
      const failures = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : []
      if (failures.length === 0 || !failures.every(isDuplicate)) throw error
    }
    this.#announcedAt = now
  }

  /** True if no node with a later declaration of the collection’s texts was seen lately. */
  async isLatest({ id, stamp }: Layout): Promise<boolean> {
    await this.announce()
    const known = await this.#docs.find({ collection: id }).toArray()
    const own = known.find((one) => one.stamp === stamp)
    const since = this.#now() - SEEN_FOR_MS
    return own !== undefined && !known.some((other) => other.seenAt > since && isLater(other, own))
  }
}

function isLater(a: Announced, b: Announced): boolean {
  return a.order > b.order || (a.order === b.order && a.stamp > b.stamp)
}
