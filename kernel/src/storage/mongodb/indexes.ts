import type { CollectionRef } from '@gateway/sdk'
import type { Db, Document, IndexDescription } from 'mongodb'
import { cannotBeUnique, type DeclaredIndex, isUniqueIndex } from '../declaration.ts'
import type { PrepareReport } from '../port.ts'
import type { Flavour } from './flavour.ts'
import { at, isDuplicate, type Layout, layoutOf } from './layout.ts'

/**
 * Create what is declared and missing; report what is there and no longer declared. Nothing is dropped, but what is unique
 * and no longer declared, and a text index of other fields: there can be one only.
 */
export async function prepareCollections(
  db: Db,
  refs: readonly CollectionRef[],
  flavour: Flavour,
): Promise<{ layouts: Map<string, Layout>; report: PrepareReport }> {
  const created: string[] = []
  const unused: string[] = []
  const layouts = new Map<string, Layout>()
  for (const ref of refs) layouts.set(ref.id, layoutOf(ref))
  const present = new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name))
  for (const layout of layouts.values()) {
    if (!present.has(layout.id) && (await createCollection(db, layout.id))) created.push(layout.id)
    const wanted = descriptions(layout, flavour)
    const names = new Set(wanted.map(({ name }) => name))
    const there = await db.collection(layout.id).indexes()
    const known = new Set(there.map(({ name }) => name))
    const text = there.find((index) => 'weights' in index)
    const words = wanted.find(({ name }) => name === `${layout.id}:text`)
    if (
      text &&
      words &&
      Object.keys(text.weights as Document)
        .sort()
        .join() !==
        Object.keys(words.weights as Document)
          .sort()
          .join()
    ) {
      await dropIndex(db, layout.id, text.name as string)
      known.delete(text.name)
    }
    for (const name of known as Set<string>) {
      if (names.has(name) || !isUniqueIndex(layout, name)) continue
      await dropIndex(db, layout.id, name)
      known.delete(name)
    }
    const missing = wanted.filter(({ name }) => !known.has(name))
    if (missing.length > 0) {
      await db
        .collection(layout.id)
        .createIndexes(missing)
        .catch((error: unknown) => {
          throw isDuplicate(error) ? cannotBeUnique(layout, (error as Error).message) : error
        })
    }
    created.push(...missing.map(({ name }) => name as string).filter((name) => name !== `${layout.id}:id`))
    for (const name of known) if (name !== '_id_' && !names.has(name)) unused.push(name as string)
  }
  return { layouts, report: { created, unused: unused.sort() } }
}

/** Whether this node made it: another that starts beside it may have come first. */
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

/** Another node that starts beside this one may have come first. */
async function dropIndex(db: Db, collection: string, name: string): Promise<void> {
  try {
    await db.collection(collection).dropIndex(name)
  } catch (error) {
    if ((error as { code?: unknown }).code !== INDEX_NOT_FOUND) throw error
  }
}

const INDEX_NOT_FOUND = 27

function descriptions(layout: Layout, flavour: Flavour): IndexDescription[] {
  const { id, key, text } = layout
  const all: IndexDescription[] = [{ name: `${id}:id`, key: { t: 1, [at(key)]: 1 }, unique: true }]
  for (const index of layout.indexes) {
    // Where an index cannot leave documents out, a unique one would let only one of them lack the field.
    if (index.unique && index.present !== undefined && !flavour.partialIndexes) continue
    all.push(description(index, key, flavour))
    if (index.expireAfterSeconds !== undefined) all.push({ name: `${index.name}:expire`, key: { [at(index.keys[0]?.field as string)]: 1 } })
  }
  if (text.length > 0 && flavour.textIndexes) all.push(textIndex(id, text))
  return distinct(all)
}

/** Two declarations may come to the same fields once the id is added, and MongoDB takes an index under one name only. */
function distinct(all: readonly IndexDescription[]): IndexDescription[] {
  const seen = new Set<string>()
  return all.filter(({ key, partialFilterExpression }) => {
    const fields = JSON.stringify([key, partialFilterExpression])
    return !seen.has(fields) && seen.add(fields)
  })
}

/** The id stands last so that the index gives the total order, ties included. In a unique index it would undo the uniqueness. */
function description({ name, keys, unique, present }: DeclaredIndex, key: string, flavour: Flavour): IndexDescription {
  const last = keys.at(-1)
  const tie = unique || last?.field === key ? [] : [[at(key), last?.direction ?? 1] as const]
  const partial = present !== undefined && flavour.partialIndexes ? { partialFilterExpression: { [at(present)]: { $exists: true } } } : {}
  const fields = Object.fromEntries([['t', 1] as const, ...keys.map(({ field, direction }) => [at(field), direction] as const), ...tie])
  return { name, key: fields, ...(unique && { unique }), ...partial }
}

/** Within the tenant; without a language, so that every word counts as it is written. */
function textIndex(id: string, text: readonly string[]): IndexDescription {
  const fields = Object.fromEntries(text.map((field) => [at(field), 'text' as const]))
  const weights = Object.fromEntries(text.map((field) => [at(field), 1]))
  return { name: `${id}:text`, key: { t: 1, ...fields }, weights, default_language: 'none', language_override: 'no language' }
}
