import { type CollectionRef, isToolError } from '@gateway/sdk'
import type { Store } from '../port.ts'
import { canonical, Digest } from './digest.ts'
import { comparePlaces, type Place, type Row, type RowReader, rowsOf } from './rows.ts'

/** The two sides of a copy; `writer` and `target` are the same store. */
export interface Sides {
  readonly source: RowReader
  readonly target: RowReader
  readonly writer: Store
}

const DOCUMENTS_PER_CHECKPOINT = 200
/** Number of concurrent writes. */
const CONCURRENCY = 16

/**
 * Makes the target's documents equal to the source's: both are walked in the same order, and missing, different or surplus
 * documents are corrected. Walked again, it corrects only later changes; an interruption loses nothing. `reached` receives each
 * place behind which all is done. Returns the number of corrected documents.
 */
export async function copyCollection(
  sides: Sides,
  ref: CollectionRef,
  from: Place | undefined,
  reached: (place: Place) => Promise<void>,
): Promise<{ readonly documents: number; readonly changed: number }> {
  let [documents, changed] = [0, 0]
  const refused: Row[] = []
  let batch: (() => Promise<Row | undefined>)[] = []
  const settle = async (place: Place): Promise<void> => {
    refused.push(...(await concurrently(batch)))
    batch = []
    // Does not pass a document that waits for its turn: after an interruption it must be met again.
    if (refused.length === 0) await reached(place)
  }
  for await (const [source, target] of sideBySide(sides, ref, from)) {
    if (source) documents++
    if (source && target && same(source, target)) continue
    changed++
    batch.push(() => (source ? put(sides.writer, ref, source, target !== undefined) : remove(sides.writer, ref, target as Row)))
    if (batch.length >= DOCUMENTS_PER_CHECKPOINT) await settle((source ?? target) as Row)
  }
  refused.push(...(await concurrently(batch)))
  // The unique value of each was held by another document, which has its own by now.
  for (const row of refused) {
    if (await put(sides.writer, ref, row, false))
      throw new Error(`${ref.id}: ${row.id} takes a unique value that another document has; run again`)
  }
  return { documents, changed }
}

async function concurrently(work: readonly (() => Promise<Row | undefined>)[]): Promise<Row[]> {
  const refused: Row[] = []
  const queue = work.values()
  const worker = async (): Promise<void> => {
    for (const one of queue) {
      const row = await one()
      if (row) refused.push(row)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return refused
}

/** The row itself if one of its unique values still belongs to another; the document is then no longer in the target. */
async function put(writer: Store, ref: CollectionRef, row: Row, replaces: boolean): Promise<Row | undefined> {
  const collection = writer.collection<Record<string, unknown>>(ref, row.tenant)
  if (replaces) await collection.deleteOne(row.id)
  try {
    await collection.insert(row.doc)
    return undefined
  } catch (error) {
    if (isToolError(error) && error.code === 'DUPLICATE_KEY') return row
    throw error
  }
}

async function remove(writer: Store, ref: CollectionRef, { tenant, id }: Row): Promise<undefined> {
  await writer.collection<Record<string, unknown>>(ref, tenant).deleteOne(id)
}

export interface Comparison {
  readonly collection: string
  readonly documents: number
  readonly digest: string
  readonly equal: boolean
  /** A differing document, if there is one. */
  readonly example?: string
}

/** Counts and digests of both sides, each read separately. */
export async function compareCollection(sides: Sides, ref: CollectionRef): Promise<Comparison> {
  const [ours, theirs] = [new Digest(), new Digest()]
  let example: string | undefined
  for await (const [source, target] of sideBySide(sides, ref, undefined)) {
    if (source) ours.add(source)
    if (target) theirs.add(target)
    if (!(source && target && same(source, target))) example ??= `${(source ?? target)?.tenant}/${(source ?? target)?.id}`
  }
  const equal = example === undefined && ours.documents === theirs.documents && String(ours) === String(theirs)
  return { collection: ref.id, documents: ours.documents, digest: String(ours), equal, ...(example !== undefined && { example }) }
}

function same(a: Row, b: Row): boolean {
  return canonical(a.doc) === canonical(b.doc)
}

/** Both sides in order; a document that only one side has comes alone. */
async function* sideBySide(
  { source, target }: Pick<Sides, 'source' | 'target'>,
  ref: CollectionRef,
  from: Place | undefined,
): AsyncGenerator<readonly [Row | undefined, Row | undefined]> {
  const [left, right] = [rowsOf(source, ref, from), rowsOf(target, ref, from)]
  let [a, b] = [(await left.next()).value, (await right.next()).value]
  while (a || b) {
    const order = !a ? 1 : !b ? -1 : comparePlaces(a, b)
    yield [order <= 0 ? a : undefined, order >= 0 ? b : undefined]
    if (order <= 0) a = (await left.next()).value
    if (order >= 0) b = (await right.next()).value
  }
}
