import { documentId, type Row, toJson } from '@gateway/storage'
import { type BulkWriteResult, MongoBulkWriteError, type Collection as MongoCollection } from 'mongodb'
import { isDuplicate, type Layout, pack, type Stored } from './layout.ts'

/**
 * Inserts rows with one command and without a transaction: one that a killed process leaves open would refuse its documents to the
 * next process for a minute. Returns the rows that a unique index refused.
 */
export async function fill(layout: Layout, docs: MongoCollection<Stored>, rows: readonly Row[]): Promise<readonly Row[]> {
  // The driver refuses an empty list.
  if (rows.length === 0) return []
  const stored = rows.map(({ tenant, doc }) => {
    const copied = toJson(doc)
    documentId(copied, layout.key)
    return pack(layout, tenant, copied, 1)
  })
  try {
    await docs.insertMany(stored as never, { ordered: false })
    return []
  } catch (error) {
    const failures = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : []
    if (failures.length === 0 || !failures.every(isDuplicate) || hasUnconfirmed(error as MongoBulkWriteError)) throw error
    return failures.map(({ index }) => rows[index] as Row)
  }
}

/** True if the others were written, but a majority has not confirmed it. */
function hasUnconfirmed({ result }: { readonly result: BulkWriteResult }): boolean {
  return result.getWriteConcernError() !== undefined
}
