import type { AnyBulkWriteOperation, Db, Document } from 'mongodb'
import { type Layout, type Stored, unpack } from './layout.ts'
import { TextDeclarations } from './text-declarations.ts'
import { wordsOf } from './words.ts'

/** Documents whose words are split in one step. */
const PAGE = 200

/**
 * Splits the texts of documents whose words are missing or belong to another declaration: after an upgrade, after the declared
 * fields have changed, and after a node of an earlier version has written beside this one. The index finds them, and a collection
 * without any costs one look-up. Nodes of an earlier version leave them to those of the later one.
 */
export class TextSplitter {
  readonly #db: Db
  readonly #layouts: readonly Layout[]
  readonly #declarations: TextDeclarations

  constructor(db: Db, layouts: Iterable<Layout>, now: () => number) {
    this.#db = db
    this.#layouts = [...layouts].filter(({ stamp }) => stamp !== undefined)
    this.#declarations = new TextDeclarations(db, this.#layouts, now)
  }

  /** Splits until no document is left, or the store is closing. */
  async run(isStopped: () => boolean): Promise<void> {
    await this.#declarations.announce()
    for (const layout of this.#layouts) {
      let mayBeMore = true
      while (mayBeMore && !isStopped()) mayBeMore = await this.#splitSome(layout, layout.stamp as string)
    }
  }

  /** False if nothing is left to split, or it is left to a later version. */
  async #splitSome(layout: Layout, stamp: string): Promise<boolean> {
    const docs = this.#db.collection<Stored>(layout.id)
    const found = await docs
      .find({ s: { $ne: stamp } } as Document, { projection: { w: 0 } })
      .limit(PAGE)
      .toArray()
    if (found.length === 0 || !(await this.#declarations.isLatest(layout))) return false
    // A document that has changed since is found again.
    const writes = found.map((one): AnyBulkWriteOperation<Stored> => {
      const words = wordsOf(layout, stamp, unpack(one))
      return { updateOne: { filter: { _id: one._id, t: one.t, r: one.r } as Document, update: { $set: words } as Document } }
    })
    await docs.bulkWrite(writes, { ordered: false })
    return true
  }
}
