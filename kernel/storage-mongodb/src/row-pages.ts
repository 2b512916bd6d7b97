import { compareValues, type Place, ROWS_PER_PAGE, type Row } from '@gateway/storage'
import type { Document, Collection as MongoCollection } from 'mongodb'
import { at, type Stored, unpack } from './layout.ts'

/** Tenants whose documents one cursor returns. */
const TENANTS_PER_CURSOR = 20
/** The server has closed a cursor that nobody read for ten minutes, or has been started again. */
const CURSOR_NOT_FOUND = 43

/**
 * A collection's documents behind a place, by tenant and id. Each cursor returns the documents of a few tenants: a server that
 * reads an index in order needs no more work for it, and one that sorts a result as a whole sorts each document once.
 */
export async function* pagesOf(docs: MongoCollection<Stored>, key: string, from: Place | undefined): AsyncGenerator<readonly Row[]> {
  let after = from
  for (;;) {
    try {
      for await (const page of pagesBehind(docs, key, after)) {
        after = page.at(-1)
        yield page
      }
      return
    } catch (error) {
      if ((error as { code?: unknown }).code !== CURSOR_NOT_FOUND) throw error
    }
  }
}

async function* pagesBehind(docs: MongoCollection<Stored>, key: string, after: Place | undefined): AsyncGenerator<readonly Row[]> {
  const id = at(key)
  if (after) yield* pagesWhere(docs, key, { t: after.tenant, [id]: { $gt: after.id } })
  const tenants: string[] = await docs.distinct('t', after ? { t: { $gt: after.tenant } } : {})
  tenants.sort(compareValues)
  for (let n = 0; n < tenants.length; n += TENANTS_PER_CURSOR)
    yield* pagesWhere(docs, key, { t: { $in: tenants.slice(n, n + TENANTS_PER_CURSOR) } })
}

async function* pagesWhere(docs: MongoCollection<Stored>, key: string, where: Document): AsyncGenerator<readonly Row[]> {
  const cursor = docs.find(where, { projection: { w: 0 }, sort: { t: 1, [at(key)]: 1 }, batchSize: ROWS_PER_PAGE })
  try {
    for (let first = await cursor.next(); first; first = await cursor.next())
      yield [first, ...cursor.readBufferedDocuments()].map((one): Row => ({ tenant: one.t, id: one.d[key] as string, doc: unpack(one) }))
  } finally {
    await cursor.close()
  }
}
