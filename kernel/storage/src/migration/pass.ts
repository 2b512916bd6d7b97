import type { CollectionRef } from '@gateway/sdk'
import type { FillableStore } from '../port.ts'
import { Corrections } from './corrections.ts'
import { canonical, Digest } from './digest.ts'
import { comparePlaces, type Place, type Row, type RowReader, rowsOf } from './rows.ts'

/** The two sides of a copy; `writer` and `target` are the same store. */
export interface Sides {
  readonly source: RowReader
  readonly target: RowReader
  readonly writer: FillableStore
}

/** Number of documents after which the place is recorded, at the latest: what an interruption repeats. */
const READ_PER_CHECKPOINT = 5_000

/**
 * Makes the target's documents equal to the source's: both are walked in the same order, and missing, different or surplus
 * documents are corrected. Walked again, it corrects only later changes; an interruption loses nothing. `reached` receives each
 * place behind which all is done. Returns the number of corrected documents.
 */
export async function copyCollection(
  sides: Sides,
  ref: CollectionRef,
  from: Place | undefined,
  reached: (place: Place, changed: number) => Promise<void>,
): Promise<{ readonly documents: number; readonly changed: number }> {
  let [documents, changed, read] = [0, 0, 0]
  const corrections = new Corrections(sides.writer, ref)
  for await (const [source, target] of sideBySide(sides, ref, from)) {
    if (source) documents++
    read++
    if (!(source && target && same(source, target))) {
      changed++
      corrections.add(source, target)
    }
    if (!corrections.isFull && read < READ_PER_CHECKPOINT) continue
    read = 0
    await corrections.write()
    // Does not pass a document that waits for its turn: after an interruption it must be met again.
    if (!corrections.areWaiting) await reached((source ?? target) as Row, changed)
  }
  await corrections.end()
  return { documents, changed }
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
