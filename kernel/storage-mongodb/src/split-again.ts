import type { AnyBulkWriteOperation, Db, Document } from 'mongodb'
import { type Layout, type Stored, unpack } from './layout.ts'
import { wordsOf } from './words.ts'

/** Documents whose words are split in one step. */
const PAGE = 200

/**
 * Splits the texts of documents whose words are missing or belong to an earlier declaration: after an upgrade, after the declared
 * fields have changed, and after a node of an earlier version has written beside this one. The index finds them, and a collection
 * without any costs one look-up.
 */
export async function splitAgain(db: Db, layout: Layout): Promise<void> {
  const { stamp, id } = layout
  if (stamp === undefined) return
  const docs = db.collection<Stored>(id)
  for (;;) {
    const found = await docs
      .find({ s: { $ne: stamp } } as Document, { projection: { w: 0 } })
      .limit(PAGE)
      .toArray()
    if (found.length === 0) return
    // A document that has changed since is found again.
    const writes = found.map((one): AnyBulkWriteOperation<Stored> => {
      const words = wordsOf(layout, stamp, unpack(one))
      return { updateOne: { filter: { _id: one._id, t: one.t, r: one.r } as Document, update: { $set: words } as Document } }
    })
    await docs.bulkWrite(writes, { ordered: false })
  }
}
