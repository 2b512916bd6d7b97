import type { Document, ObjectId } from 'mongodb'
import { changeOf } from './change.ts'
import type { Stored } from './layout.ts'
import type { Found, Place } from './place.ts'
import { TOO_SOON, type Writes } from './writes.ts'

const PAGE = 1_000

/** Every match is changed once; the number of those that were. */
export function changeMany(place: Place, writes: Writes, where: object, update: object): Promise<number> {
  return changesTogether(place) ? changePages(place, where, update) : changeEach(place, writes, where, update)
}

/** Inside a transaction nobody comes first unseen, and without unique indexes nothing is to be asked before a write. */
function changesTogether({ scope, layout }: Place): boolean {
  return scope.session !== undefined && !layout.indexes.some(({ unique }) => unique)
}

/** As one write a page, not one a document. */
async function changePages(place: Place, where: object, update: object): Promise<number> {
  const { layout, docs, options, scope } = place
  let changed = 0
  for await (const page of pages(place, where)) {
    const writes = page.map((found) => {
      const { filter, update: replacement } = changeOf(found, layout.key, update, where, scope.now(), false)
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

/** Whether a document that was found was changed, as it was found or as others have left it since. */
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

/** Every match once, in pages: their documents may be more than memory holds. */
async function* pages(place: Place, where: object): AsyncGenerator<readonly Found[]> {
  const { docs, options } = place
  // The keys first: a change may move a document to where it would be met again.
  const keys = await docs.find(place.query(where), { ...options, projection: { _id: 1 } }).toArray()
  for (let from = 0; from < keys.length; from += PAGE) {
    const ids: ObjectId[] = keys.slice(from, from + PAGE).map(({ _id }) => _id as unknown as ObjectId)
    const page = await docs.find({ _id: { $in: ids } } as Document, options).toArray()
    if (page.length > 0) yield page
  }
}
