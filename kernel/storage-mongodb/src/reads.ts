import type { Group, GroupQuery, Page, Query } from '@gateway/sdk'
import {
  badField,
  checkBytes,
  checkIds,
  checkLimit,
  type Doc,
  decodeCursor,
  encodeCursor,
  PageRows,
  type Position,
  type Scalar,
  totalOrder,
} from '@gateway/storage'
import type { Document } from 'mongodb'
import { checkGroup, groupPipeline, groupsOf } from './aggregate.ts'
import { anyOf } from './filter.ts'
import { at, unpack } from './layout.ts'
import { afterPosition, sortOf } from './order.ts'
import type { Found, Place } from './place.ts'

type AnyQuery = Query<Record<string, unknown>>

export async function getMany(place: Place, ids: readonly string[]): Promise<readonly Doc[]> {
  const wanted = [...new Set(checkIds(ids))]
  const found = await byIds(place, wanted)
  return wanted.flatMap((id): Doc[] => {
    const doc = found.get(id)
    return doc ? [doc] : []
  })
}

export async function byIds({ layout, tenant, docs, reading }: Place, ids: readonly string[]): Promise<ReadonlyMap<string, Doc>> {
  const found = await docs.find({ t: tenant, [at(layout.key)]: { $in: [...ids] } }, reading).toArray()
  return new Map(found.map((one) => [one.d[layout.key] as string, unpack(one)]))
}

export async function findPage(place: Place, { where, sort, limit: asked, cursor, maxBytes }: AnyQuery): Promise<Page<Doc>> {
  const { layout, tenant, docs, reading } = place
  const limit = checkLimit(asked, 100, 10_000)
  const order = totalOrder(sort, layout.key)
  const scope = JSON.stringify([layout.id, tenant, where, sort])
  const query = place.query(where)
  const position = cursor === undefined ? undefined : (decodeCursor(scope, cursor, order.length) as (Scalar | null)[])
  const page = position ? { $and: [query, anyOf(afterPosition(order, position, layout.mixed))] } : query
  const rows = new PageRows<Doc>(limit, checkBytes(maxBytes))
  const found = docs
    .find(page, reading)
    .sort(sortOf(order))
    .limit(limit + 1)
  if (maxBytes === undefined) for (const one of await found.toArray()) rows.add(unpack(one), 0)
  else await fill(rows, found)
  const { rows: items, more } = rows
  const last = items.at(-1)
  if (!more || !last) return { items }
  return { items, nextCursor: encodeCursor(scope, order.map(({ field }) => last[field] ?? null) as Position) }
}

/** Leaving the loop closes the cursor. */
async function fill(rows: PageRows<Doc>, found: AsyncIterable<Found>): Promise<void> {
  for await (const one of found) {
    const doc = unpack(one)
    if (!rows.add(doc, Buffer.byteLength(JSON.stringify(doc)))) return
  }
}

export async function count(place: Place, where: object | undefined, max: number | undefined): Promise<number> {
  if (max !== undefined && (!Number.isInteger(max) || max < 0))
    throw badField('max', `expected an integer from 0; got ${JSON.stringify(max)}`)
  // The driver treats a limit of 0 as no limit.
  if (max === 0) return 0
  return place.docs.countDocuments(place.query(where), { ...place.options, ...(max !== undefined && { limit: max }) })
}

export async function group(place: Place, query: GroupQuery<Record<string, unknown>>): Promise<readonly Group[]> {
  checkGroup(query)
  const pipeline = [{ $match: place.query(query.where) }, ...groupPipeline(query)]
  return groupsOf(query, await place.docs.aggregate<Document>(pipeline, place.options).toArray())
}

export async function distinct(place: Place, field: string, where?: object): Promise<readonly (string | number)[]> {
  const { id, key, indexes } = place.layout
  const isIndexed = field === key || indexes.some(({ keys, present }) => present === field || keys.some((one) => one.field === field))
  if (!isIndexed) throw badField(field, `distinct needs an index of ${id} on it`)
  const values: (string | number)[] = await place.docs.distinct(at(field), place.query(where), place.options)
  return values.sort((a, b) => (a < b ? -1 : 1))
}
