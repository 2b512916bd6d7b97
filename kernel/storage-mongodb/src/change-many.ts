import type { Document, ObjectId } from 'mongodb'
import { changeOf } from './change.ts'
import type { Stored } from './layout.ts'
import type { Found, Place } from './place.ts'
import { TOO_SOON, type Writes } from './writes.ts'

const PAGE = 1_000

/** Changes every match once and returns the number of changed documents. */
export function changeMany(place: Place, writes: Writes, where: object, update: object): Promise<number> {
  return changesTogether(place) ? changePages(place, where, update) : changeEach(place, writes, where, update)
}

/**
 * Inside a transaction no other write can come first unseen, and without unique indexes nothing must be checked before a write.
 */
function changesTogether({ scope, layout }: Place): boolean {
  return scope.session !== undefined && !layout.indexes.some(({ unique }) => unique)
}

/** Uses one write per page instead of one per document. */
async function changePages(place: Place, where: object, update: object): Promise<number> {
  const { layout, docs, options, scope } = place
  let changed = 0
  for await (const page of pages(place, where)) {
    const writes = page.map((found) => {
      const { filter, update: replacement } = changeOf(found, layout, update, where, scope.now(), false)
      return { replaceOne: { filter, replacement: replacement as Stored } }
    })
    const { matchedCount } = await docs.bulkWrite(writes, { ...options, ordered: true })
    changed += matchedCount
  }
  return changed
}

async function changeEach(place: Place, writes: Writes, where: object, update: object): Promise<number> {
  let changed = 0
  for await (const page of pages(place, where)) {
    for (const found of page) if (await changeFrom(found, place, writes, where, update)) changed++
  }
  return changed
}

/** True if a found document was changed, as found or as others have left it since. */
function changeFrom(found: Found, place: Place, writes: Writes, where: object, update: object): Promise<boolean> {
  let current: Found | undefined = found
  return writes.persist(async () => {
    if (!current) return { done: false }
    const changed = await writes.change(current, update, where)
    if (changed) return { done: changed !== TOO_SOON }
    current = await place.byId(found.d[place.layout.key] as string, where)
    return undefined
  })
}

/** Yields every match once, in pages, because all documents together may exceed the memory. */
async function* pages(place: Place, where: object): AsyncGenerator<readonly Found[]> {
  const { docs, options, reading } = place
  // Reads the keys first: a change may move a document to where it would be met again.
  const keys = await docs.find(place.query(where), { ...options, projection: { _id: 1 } }).toArray()
  for (let from = 0; from < keys.length; from += PAGE) {
    const ids: ObjectId[] = keys.slice(from, from + PAGE).map(({ _id }) => _id as unknown as ObjectId)
    const page = await docs.find({ _id: { $in: ids } } as Document, reading).toArray()
    if (page.length > 0) yield page
  }
}
