import type { CollectionRef } from '@gateway/sdk'
import { acrossName, cannotBeUnique, type DeclaredIndex, isUniqueIndex, type PrepareReport } from '@gateway/storage'
import type { Db, IndexDescription } from 'mongodb'
import { at, isDuplicate, type Layout, layoutOf } from './layout.ts'

/**
 * Creates declared indexes that are missing and reports existing ones that are no longer declared. It drops only unique indexes
 * that are no longer declared, and text indexes of MongoDB itself, which earlier versions created.
 */
export async function prepareCollections(
  db: Db,
  refs: readonly CollectionRef[],
): Promise<{ layouts: Map<string, Layout>; report: PrepareReport }> {
  const created: string[] = []
  const unused: string[] = []
  const layouts = new Map<string, Layout>()
  for (const ref of refs) layouts.set(ref.id, layoutOf(ref))
  const present = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name))
  for (const layout of layouts.values()) {
    if (!present.has(layout.id) && (await createCollection(db, layout.id))) created.push(layout.id)
    const indexes = await prepareIndexes(db, layout)
    created.push(...indexes.created)
    unused.push(...indexes.unused)
  }
  return { layouts, report: { created, unused: unused.sort() } }
}

async function prepareIndexes(db: Db, layout: Layout): Promise<PrepareReport> {
  const wanted = descriptions(layout)
  const existing = await db.collection(layout.id).indexes()
  const served = new Set(wanted.flatMap((index) => existing.filter((one) => isSame(one, index)).map(({ name }) => name)))
  const known = new Set(existing.map(({ name }) => name))
  const names = new Set([...served, ...wanted.map(({ name }) => name)])
  // The name belongs to another index, which cannot be used.
  for (const index of wanted.filter(({ name }) => known.has(name) && !served.has(name))) {
    await dropIndex(db, layout.id, index.name as string)
    known.delete(index.name)
  }
  const texts = new Set(existing.flatMap((index) => ('weights' in index ? [index.name] : [])))
  for (const name of known as Set<string>) {
    if (names.has(name) || !(isUniqueIndex(layout, name) || texts.has(name))) continue
    await dropIndex(db, layout.id, name)
    known.delete(name)
  }
  const missing = wanted.filter((index) => !known.has(index.name) && !existing.some((one) => known.has(one.name) && isSame(one, index)))
  if (missing.length > 0) {
    await db
      .collection(layout.id)
      .createIndexes(missing)
      .catch((error: unknown) => {
        throw isDuplicate(error) ? cannotBeUnique(layout, (error as Error).message) : error
      })
  }
  return {
    created: missing.map(({ name }) => name as string).filter((name) => name !== `${layout.id}:id`),
    unused: ([...known] as string[]).filter((name) => name !== '_id_' && !names.has(name)),
  }
}

/** True if this node created it; another node that starts at the same time may have come first. */
async function createCollection(db: Db, name: string): Promise<boolean> {
  try {
    await db.createCollection(name)
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === NAMESPACE_EXISTS) return false
    throw error
  }
}

const NAMESPACE_EXISTS = 48

/** Another node that starts at the same time may have come first. */
async function dropIndex(db: Db, collection: string, name: string): Promise<void> {
  try {
    await db.collection(collection).dropIndex(name)
  } catch (error) {
    if ((error as { code?: unknown }).code !== INDEX_NOT_FOUND) throw error
  }
}

const INDEX_NOT_FOUND = 27

/** True if an existing index does what a wanted one would, whatever its name: MongoDB accepts it under one name only. */
function isSame(existing: IndexDescription, wanted: IndexDescription): boolean {
  const shape = ({ key, unique = false, partialFilterExpression = {} }: IndexDescription): string =>
    JSON.stringify([Object.entries(key), unique, Object.entries(partialFilterExpression).sort(([a], [b]) => (a < b ? -1 : 1))])
  return shape(existing) === shape(wanted)
}

function descriptions(layout: Layout): IndexDescription[] {
  const { id, key, stamp } = layout
  const all: IndexDescription[] = [{ name: `${id}:id`, key: { t: 1, [at(key)]: 1 }, unique: true }]
  for (const index of layout.indexes) {
    all.push(description(index, key))
    if (index.acrossTenants) all.push(acrossDescription(index))
    if (index.expireAfterSeconds !== undefined) all.push({ name: `${index.name}:expire`, key: { [at(index.keys[0]?.field as string)]: 1 } })
  }
  if (stamp !== undefined) all.push({ name: `${id}:words`, key: { t: 1, w: 1 } }, { name: `${id}:split`, key: { s: 1, l: 1 } })
  return distinct(all)
}

/** Two declarations may have the same fields once the id is added, and MongoDB accepts an index under one name only. */
function distinct(all: readonly IndexDescription[]): IndexDescription[] {
  const seen = new Set<string>()
  return all.filter(({ key, partialFilterExpression }) => {
    const fields = JSON.stringify([key, partialFilterExpression])
    return !seen.has(fields) && seen.add(fields)
  })
}

/** The id comes last, so that the index gives the total order, ties included. In a unique index it would undo the uniqueness. */
function description(index: DeclaredIndex, key: string): IndexDescription {
  const { keys, unique } = index
  const last = keys.at(-1)
  const tie = unique || last?.field === key ? [] : [[at(key), last?.direction ?? 1] as const]
  const fields = Object.fromEntries([['t', 1] as const, ...keys.map(({ field, direction }) => [at(field), direction] as const), ...tie])
  return { name: nameOf(index), key: fields, ...(unique && { unique }), ...partialOf(index) }
}

/**
 * Fields that a document must have to be in the index. In a unique index of MongoDB, all documents without a key would share one
 * value.
 */
function presentIn({ unique, present, optional }: DeclaredIndex): readonly string[] {
  return [...new Set([...(present === undefined ? [] : [present]), ...(unique ? optional : [])])]
}

function partialOf(index: DeclaredIndex): Pick<IndexDescription, 'partialFilterExpression'> {
  const present = presentIn(index)
  if (present.length === 0) return {}
  return { partialFilterExpression: Object.fromEntries(present.map((field) => [at(field), { $exists: true }])) }
}

/** Details that the declaration's name lacks follow it: an index that leaves out other documents has another name. */
function nameOf(index: DeclaredIndex): string {
  const further = presentIn(index).filter((field) => field !== index.present)
  return index.name + further.map((field) => `?${field}`).join('')
}

/** Covers all tenants; the tenant comes last, so that the index alone names it. */
function acrossDescription(index: DeclaredIndex): IndexDescription {
  const fields = index.keys.map(({ field, direction }) => [at(field), direction] as const)
  return { name: acrossName(index), key: Object.fromEntries([...fields, ['t', 1]]), ...partialOf(index) }
}
