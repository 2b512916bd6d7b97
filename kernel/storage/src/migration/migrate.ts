import type { CollectionRef } from '@gateway/sdk'
import { MARK_ID, type Mark, marksOf, migrationMarks } from './mark.ts'
import { type Comparison, compareCollection, copyCollection, type Sides } from './pass.ts'
import { firstRow, type Place, type RowReader } from './rows.ts'

interface Progress {
  readonly pass: number
  readonly collection: string
  readonly documents: number
  readonly changed: number
}

export interface MigrateOptions {
  readonly sides: Sides
  readonly collections: readonly CollectionRef[]
  readonly now: () => Date
  readonly progress: (progress: Progress) => void
}

export interface CopyOutcome {
  readonly passes: number
  /** Documents that the last pass had to correct, because they changed during the one before. */
  readonly lastChanged: number
}

/** Each pass reads everything: more of them help little once the number of changes no longer shrinks. */
const MAX_PASSES = 5

/**
 * Refuses a target that holds anything other than this source's unfinished copy. It only reads, so a refused target is unchanged.
 */
export async function checkTarget(source: RowReader, target: RowReader | undefined): Promise<void> {
  if (!target) return
  if (target.identity === source.identity) throw new Error('Source and target are the same store.')
  const held = await target.collections()
  if (held.length === 0) return
  const mark = held.includes(migrationMarks.id) ? (await firstRow(target, migrationMarks))?.doc : undefined
  if (!mark)
    throw new Error(
      `The target has data already (${held.slice(0, 3).join(', ')}${held.length > 3 ? ', …' : ''}), and is no unfinished copy. ` +
        'If it is the copy of this store, it is finished: start the gateway on it. Otherwise name an empty one.',
    )
  if (mark.source !== source.identity)
    throw new Error(`The target is the unfinished copy of another store, ${String(mark.source)}. Name an empty one.`)
}

/** Collections of the source that nobody here declares: they cannot be copied and must not be left behind silently. */
export async function undeclared(source: RowReader, collections: readonly CollectionRef[]): Promise<readonly string[]> {
  const known = new Set(collections.map(({ id }) => id))
  return (await source.collections()).filter((id) => !known.has(id))
}

/**
 * Copies in steps: 1. the target gets its mark; 2. a pass over every collection, from the place where an interrupted one
 * stopped;
 * 3. further passes, until one finds no changes, or no fewer than the one before.
 */
export async function copy(options: MigrateOptions): Promise<CopyOutcome> {
  let { reached } = await begin(options)
  let before = reached?.before
  for (let pass = reached?.pass ?? 1; ; pass++) {
    const changed = await onePass(options, { pass, ...(before !== undefined && { before }) }, reached)
    if (changed === 0 || (before !== undefined && changed >= before) || pass >= MAX_PASSES) return { passes: pass, lastChanged: changed }
    before = changed
    reached = undefined
  }
}

/**
 * While nobody writes to the source: a last pass, then both sides are compared. The mark is removed only if everything is equal.
 */
export async function finish(options: MigrateOptions): Promise<readonly Comparison[]> {
  await begin(options)
  await onePass(options, { pass: 1 }, undefined)
  const compared: Comparison[] = []
  for (const ref of options.collections) compared.push(await compareCollection(options.sides, ref))
  if (compared.every(({ equal }) => equal)) await marksOf(options.sides.writer).deleteOne(MARK_ID)
  return compared
}

async function begin({ sides, now }: MigrateOptions) {
  const fresh = { id: MARK_ID, source: sides.source.identity, startedAt: now().toISOString() }
  return marksOf(sides.writer).upsert(fresh, {})
}

type Reached = NonNullable<Mark['reached']>

async function onePass(
  { sides, collections, progress }: MigrateOptions,
  numbers: Pick<Reached, 'pass' | 'before'>,
  resumed: Reached | undefined,
): Promise<number> {
  const marks = marksOf(sides.writer)
  const start = resumed ? collections.findIndex(({ id }) => id === resumed.collection) : 0
  let total = resumed?.changed ?? 0
  for (const ref of collections.slice(Math.max(0, start))) {
    const from = resumed?.collection === ref.id ? resumed : undefined
    const before = total
    const reached = async ({ tenant, id }: Place, changed: number): Promise<void> => {
      await marks.updateOne(MARK_ID, { set: { reached: { ...numbers, changed: before + changed, collection: ref.id, tenant, id } } })
    }
    const { documents, changed } = await copyCollection(sides, ref, from, reached)
    progress({ pass: numbers.pass, collection: ref.id, documents, changed })
    total += changed
  }
  await marks.updateOne(MARK_ID, { unset: ['reached'] })
  return total
}
