import type { Claim } from '@gateway/sdk'
import type { Doc } from '@gateway/storage'
import { type AnyBulkWriteOperation, type Document, MongoBulkWriteError, MongoServerError, ObjectId } from 'mongodb'
import { type Change, changeOf } from './change.ts'
import type { Attempt, Taken } from './claims.ts'
import { at, duplicateKey, type Stored } from './layout.ts'
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
    const changed = await writes.change(unmarked(found), request.update, request.where)
    if (changed === TOO_SOON) return 'too soon'
    return changed === undefined ? 'overtaken' : { doc: changed.done }
  } catch (error) {
    return { error }
  }
}

/**
 * Each document is changed on the condition that it is still at the revision at which it was read. One write tells how many were
 * changed and not which, so it leaves a mark of its own in the documents. Changes keep the mark until the next claim, because
 * another process may change a document before it is read here.
 */
async function takeTogether(place: Place, attempts: readonly Attempt<Found, Request>[]): Promise<readonly Taken<Doc>[]> {
  const { layout, docs, options, scope } = place
  const mark = new ObjectId()
  const changes = attempts.map(({ found, request }) =>
    changeOf(unmarked(found), layout, request.update, request.where, scope.now(), scope.serverTimes),
  )
  const refused = await writeAll(
    place,
    changes.map((change) => marked(change, mark)),
  )
  const ids = attempts.filter((_, n) => !refused.has(n)).map(({ found }) => found._id)
  const projection = { r: 1, c: 1 }
  const stored = await docs.find({ _id: { $in: ids } } as Document, { ...options, projection }).toArray()
  const byId = new Map(stored.map((one) => [String(one._id), one]))
  return attempts.map(({ found }, n): Taken<Doc> => {
    if (refused.has(n)) return { error: duplicateKey(layout, refused.get(n)) }
    const now = byId.get(String(found._id))
    // The document as it was taken: the present one may belong to somebody else already.
    if (now?.c?.by !== undefined && mark.equals(now.c.by)) return { doc: { ...(changes[n] as Change).after, ...now.c.times } }
    return now?.r === found.r ? 'too soon' : 'overtaken'
  })
}

function marked({ filter, update, times }: Change, mark: ObjectId): AnyBulkWriteOperation<Stored> {
  if (!Array.isArray(update)) return { replaceOne: { filter, replacement: { ...update, c: { by: mark } } as unknown as Stored } }
  const taken = times.length === 0 ? {} : { times: Object.fromEntries(times.map((field) => [field, `$${at(field)}`])) }
  return { updateOne: { filter, update: [...update, { $set: { c: { by: mark, ...taken } } }] } }
}

/** A claim ends the one before: its mark goes. */
const unmarked = (found: Found): Found => ({ ...found, c: undefined })

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
