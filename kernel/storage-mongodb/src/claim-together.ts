import type { Claim } from '@gateway/sdk'
import type { Doc } from '@gateway/storage'
import { type AnyBulkWriteOperation, type Document, MongoBulkWriteError, MongoServerError, ObjectId } from 'mongodb'
import { changeOf } from './change.ts'
import type { Attempt, Taken } from './claims.ts'
import { duplicateKey, type Stored, unpack } from './layout.ts'
import type { Found, Place } from './place.ts'
import { TOO_SOON, type Writes } from './writes.ts'

// biome-ignore lint/suspicious/noExplicitAny: the port gives each caller its own document type
type Request = Pick<Claim<any>, 'where' | 'update'>

/** Takes each document for its claimer; several in one write, which costs the server less than a write each. */
export function takeAll(place: Place, writes: Writes, attempts: readonly Attempt<Found, Request>[]): Promise<readonly Taken<Doc>[]> {
  // A conflict with another writer would end the transaction, which a refusal within it must not do.
  const together = attempts.length > 1 && place.scope.session === undefined
  return together ? takeTogether(place, attempts) : Promise.all(attempts.map((attempt) => takeOne(writes, attempt)))
}

async function takeOne(writes: Writes, { found, request }: Attempt<Found, Request>): Promise<Taken<Doc>> {
  try {
    const changed = await writes.change(found, request.update, request.where)
    if (changed === TOO_SOON) return 'too soon'
    return changed === undefined ? 'overtaken' : { doc: changed.done }
  } catch (error) {
    return { error }
  }
}

/**
 * Each document is changed on the condition that it is still at the revision at which it was read. One write tells how many were
 * changed and not which, so it leaves a mark of its own in the documents, which the next change of each removes.
 */
async function takeTogether(place: Place, attempts: readonly Attempt<Found, Request>[]): Promise<readonly Taken<Doc>[]> {
  const { layout, docs, options, reading, scope } = place
  const mark = new ObjectId()
  const changes = attempts.map(({ found, request }) =>
    changeOf(found, layout, request.update, request.where, scope.now(), scope.serverTimes),
  )
  const refused = await writeAll(
    place,
    changes.map(({ filter, update }) => marked(filter, update, mark)),
  )
  const ids = attempts.filter((_, n) => !refused.has(n)).map(({ found }) => found._id)
  const stored = await docs.find({ _id: { $in: ids } } as Document, { ...reading, ...options }).toArray()
  const byId = new Map(stored.map((one) => [String(one._id), one]))
  return attempts.map(({ found }, n): Taken<Doc> => {
    if (refused.has(n)) return { error: duplicateKey(layout, refused.get(n)) }
    const now = byId.get(String(found._id))
    if (now?.c !== undefined && mark.equals(now.c)) return { doc: unpack(now) }
    return now?.r === found.r ? 'too soon' : 'overtaken'
  })
}

function marked(filter: Document, update: Document | Document[], mark: ObjectId): AnyBulkWriteOperation<Stored> {
  if (Array.isArray(update)) return { updateOne: { filter, update: [...update, { $set: { c: mark } }] } }
  return { replaceOne: { filter, replacement: { ...update, c: mark } as unknown as Stored } }
}

/** Returns the refusals by the place of their write; throws where the outcome of a write is unknown. */
async function writeAll({ docs, options }: Place, writes: readonly AnyBulkWriteOperation<Stored>[]): Promise<ReadonlyMap<number, unknown>> {
  try {
    await docs.bulkWrite(writes, { ...options, ordered: false })
    return new Map()
  } catch (error) {
    const refusals = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : []
    if (refusals.length === 0 || (error as MongoBulkWriteError).result.getWriteConcernError()) throw error
    return new Map(refusals.map((refusal) => [refusal.index, new MongoServerError({ code: refusal.code, message: refusal.errmsg ?? '' })]))
  }
}
