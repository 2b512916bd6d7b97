import { DuplicateKey, isToolError, type Transaction } from '@gateway/sdk'
import { aroundOf, BEFORE, neighboursOf } from '../rules/neighbours.ts'
import { patternOf } from '../rules/patterns.ts'
import { type Draft, prepared } from '../rules/prepare.ts'
import type { Record } from '../schema.ts'
import type { Call, MemoryUses } from './uses.ts'

/** A draft, and whether it stays by itself when no file holds it any more. */
export type Writing = Draft & { readonly kept: boolean }

/**
 * Insert what is new of the drafts, as part of `tx`, and say which. Neighbours in the list belong together, and with what came before
 * in the same thread: each is found by the words around it too.
 */
export async function insertNew(drafts: readonly Writing[], { records }: MemoryUses, tx: Transaction): Promise<ReadonlySet<string>> {
  const inTx = records.in(tx)
  const there = new Map((await inTx.getMany(drafts.map(({ id }) => id))).map((record) => [record.id, record]))
  const fresh = new Set(drafts.map(({ id }) => id).filter((id) => !there.has(id)))
  const all = drafts.map((draft) => there.get(draft.id) ?? prepared(draft))
  const own = new Set(all.map(({ id }) => id))
  const before = (await lastOfThread(all[0], inTx, tx.now)).filter(({ id }) => !own.has(id))
  const line = [...before, ...all]
  const seen = new Set<string>()
  const inserts: Record[] = []
  for (const [i, record] of all.entries()) {
    if (seen.has(record.id)) continue
    seen.add(record.id)
    const around = aroundOf(neighboursOf(line, before.length + i).filter((other) => belongTogether(record, other)))
    const draft = drafts[i] as Writing
    if (!fresh.has(record.id)) {
      await refresh(record, draft.kept, around, drafts.length > 1)
      continue
    }
    inserts.push({
      ...record,
      ...(around !== '' && { around }),
      ...(draft.kept && { kept: true }),
      ...(record.source === 'pattern' && patternOf(record)),
      pending: tx.now.toISOString(),
    })
  }
  if (inserts.length > 0) await inTx.insertMany(inserts)
  const [first] = inserts
  const last = before.at(-1)
  if (last && first && first.id === all[0]?.id) await inTx.updateOne(last.id, { set: { around: aroundOf([first], last.around) } })
  return fresh

  /** What was there stays as it is; only where it stands, and that it stays, may be news. */
  async function refresh(record: Record, kept: boolean, around: string, hasNeighbours: boolean): Promise<void> {
    const keeps = kept && !record.kept
    const moves = hasNeighbours && around !== (record.around ?? '')
    if (keeps || moves) await inTx.updateOne(record.id, { set: { ...(keeps && { kept: true }), ...(moves && { around }) } })
  }
}

/**
 * Insert one chunk, without a transaction, which others would wait for. That the chunk before it is found by its words too is written
 * beside it: with SQLite in the same commit, but where a group is full, and never before it. MongoDB writes the two in any order: a kill
 * between them may leave the chunk before found by words of one that nobody was told is stored. False when it is there already.
 */
export async function insertAlone(draft: Writing, { records }: MemoryUses, call: Pick<Call, 'now'>): Promise<boolean> {
  const record = prepared(draft)
  const before = await lastOfThread(record, records, call.now())
  const last = before.at(-1)
  // One that is there follows nothing anew.
  if (last && (await records.get(record.id))) return false
  const around = aroundOf(before)
  const pattern = record.source === 'pattern' ? patternOf(record) : {}
  try {
    await Promise.all([
      records.insert({ ...record, ...(around !== '' && { around }), kept: true, ...pattern, pending: call.now().toISOString() }),
      last && records.updateOne(last.id, { set: { around: aroundOf([record], last.around) } }),
    ])
  } catch (error) {
    if (isToolError(error) && error.code === DuplicateKey.code) return false
    throw error
  }
  return true
}

/** Those of one thread do, and those of none that came in one list. */
function belongTogether(record: Record, other: Record): boolean {
  return other.thread === record.thread && other.id !== record.id
}

/** Tags alone make no thread of what lies further apart. */
const TAGS_MS = 10 * 60_000

/** What came before in the thread, the latest last. */
async function lastOfThread(
  record: Record | undefined,
  records: Pick<MemoryUses['records'], 'find'>,
  now: Date,
): Promise<readonly Record[]> {
  if (record?.thread === undefined) return []
  const { items } = await records.find({ where: { thread: record.thread }, sort: { storedAs: -1 }, limit: BEFORE })
  const isNear = ({ sessionId, createdAt }: Record): boolean => sessionId !== undefined || now.getTime() - Date.parse(createdAt) < TAGS_MS
  return items.filter(isNear).reverse()
}

/** Remove records with what belongs to them, as part of `tx`. */
export async function removeRecords(ids: readonly string[], { records, vectors }: MemoryUses, tx: Transaction): Promise<number> {
  if (ids.length === 0) return 0
  const removed = await records.in(tx).deleteMany({ id: { in: [...ids] } })
  await vectors.in(tx).deleteMany({ id: { in: [...ids] } })
  return removed
}

/** After the commit: what this process has in memory follows, and what waits for vectors is seen to. */
export function afterWrite(
  uses: MemoryUses,
  { tenantId }: Pick<Call, 'tenantId'>,
  change: { removed?: readonly string[]; added: number },
): void {
  const { engine, stored } = uses
  const loaded = engine.loaded.get(tenantId)
  for (const id of change.removed ?? []) loaded?.vectors.delete(id)
  if (change.added === 0) return
  const queue = engine.embedding.get(tenantId)
  if (queue) queue.more = true
  else if (engine.able().able) stored.emit({ chunks: change.added })
}
