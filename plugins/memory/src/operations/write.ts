import { BadRequest, DuplicateKey, isToolError, type Transaction } from '@gateway/sdk'
import { CHUNK_PREFIX } from '../rules/content-hash.ts'
import { MEMORY } from '../rules/corpus-words.ts'
import { joined } from '../rules/joined.ts'
import { aroundOf, BEFORE, neighboursOf } from '../rules/neighbours.ts'
import { patternOf } from '../rules/patterns.ts'
import { type Draft, prepared } from '../rules/prepare.ts'
import type { MemoryRecord } from '../schema.ts'
import type { Call, MemoryUses } from './uses.ts'

/**
 * A draft; `kept` is true if it stays when no file holds it any more. A restored one was a chunk before: what it replaces, or is
 * replaced by, may be absent, and says nothing new about an existing chunk.
 */
export type Writing = Draft & { readonly kept: boolean; readonly restored?: boolean }

/**
 * Inserts the new drafts in `tx` and returns their ids. Neighbours in the list belong together, and with the records before them
 * in the same thread: each is also found by the words around it.
 */
export async function insertNew(drafts: readonly Writing[], uses: MemoryUses, tx: Transaction): Promise<ReadonlySet<string>> {
  const { records, vectors } = uses
  const inTx = records.in(tx)
  for (const draft of drafts) await supersede(draft)
  const existing = new Map((await inTx.getMany(drafts.map(({ id }) => id))).map((record) => [record.id, record]))
  const fresh = new Set(drafts.map(({ id }) => id).filter((id) => !existing.has(id)))
  const all = drafts.map((draft) => existing.get(draft.id) ?? prepared(draft))
  const own = new Set(all.map(({ id }) => id))
  const before = (await lastOfThread(all[0], inTx, tx.now)).filter(({ id }) => !own.has(id))
  const line = [...before, ...all]
  const seen = new Set<string>()
  const inserts: MemoryRecord[] = []
  for (const [i, record] of all.entries()) {
    if (seen.has(record.id)) continue
    seen.add(record.id)
    const around = aroundOf(neighboursOf(line, before.length + i).filter((other) => belongTogether(record, other)))
    const draft = drafts[i] as Writing
    if (!fresh.has(record.id)) {
      await refresh(record, draft, around)
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

  /** An existing record keeps its content; its repo, tags, session, times, location and `kept` flag follow the draft. */
  async function refresh(record: MemoryRecord, draft: Writing, around: string): Promise<void> {
    const moves = drafts.length > 1 && around !== (record.around ?? '')
    const joins = joined(record, draft.restored ? { ...draft, occurredAt: undefined, validUntil: undefined } : draft)
    const supersedes = draft.restored ? undefined : draft.supersedes
    const now = supersedes !== undefined && draft.occurredAt === undefined && { createdAt: draft.createdAt }
    const set = {
      ...joins,
      ...now,
      ...(supersedes !== undefined && { supersedes }),
      ...(draft.kept && !record.kept && { kept: true }),
      ...(moves && { around }),
    }
    // A content that replaces another is valid again, whatever had replaced it.
    const unset = supersedes !== undefined && record.supersededBy !== undefined ? { unset: ['supersededBy'] as const } : {}
    if (Object.keys(set).length > 0) await inTx.updateOne(record.id, { set, ...unset })
    const { labels, createdAt } = { ...record, ...set }
    if (joins.labels !== undefined) await vectors.in(tx).updateOne(record.id, { set: { labels, createdAt, at: tx.now.toISOString() } })
  }

  async function supersede({ id, supersedes, restored }: Writing): Promise<void> {
    if (supersedes === undefined) return
    const old = await inTx.get(supersedes)
    if (restored) {
      const isFresh = old?.corpus === MEMORY && supersedes !== id && old.supersededBy === undefined && !(await inTx.get(id))
      if (isFresh) await inTx.updateOne(supersedes, { set: { supersededBy: id } })
      return
    }
    if (old?.corpus !== MEMORY || supersedes === id) {
      const remedy = supersedes.startsWith(CHUNK_PREFIX) ? '' : ' An atom of the brain is replaced by brain_commit with `supersedes`.'
      const message = `\`supersedes\` must be the chunkId of another chunk of the memory; got ${JSON.stringify(supersedes)}.${remedy}`
      throw BadRequest({ field: 'supersedes', message })
    }
    await inTx.updateOne(supersedes, { set: { supersededBy: id } })
  }
}

/**
 * Inserts one chunk, with less reading than a list needs. A chunk that follows another in its thread makes that one found by its
 * words too, in the same transaction: after a kill both are there or neither is. False when it exists.
 */
export async function insertAlone(draft: Writing, { records, atomically }: MemoryUses, call: Pick<Call, 'now'>): Promise<boolean> {
  const record = prepared(draft)
  const before = await lastOfThread(record, records, call.now())
  const last = before.at(-1)
  // An existing chunk gets no new neighbours.
  if (last && (await records.get(record.id))) return false
  const around = aroundOf(before)
  const pattern = record.source === 'pattern' ? patternOf(record) : {}
  const chunk = { ...record, ...(around !== '' && { around }), kept: true, ...pattern, pending: call.now().toISOString() }
  try {
    if (last === undefined) await records.insert(chunk)
    else
      await atomically(async (tx) => {
        await records.in(tx).insert(chunk)
        await records.in(tx).updateOne(last.id, { set: { around: aroundOf([record], last.around) } })
      })
  } catch (error) {
    if (isToolError(error) && error.code === DuplicateKey.code) return false
    throw error
  }
  return true
}

/** True within one thread, and for records without one from one list. */
function belongTogether(record: MemoryRecord, other: MemoryRecord): boolean {
  return other.thread === record.thread && other.id !== record.id
}

/** Records that are further apart form no thread by tags alone. */
const TAGS_MS = 10 * 60_000

/** Returns the preceding records of the thread, the latest last. */
async function lastOfThread(
  record: MemoryRecord | undefined,
  records: Pick<MemoryUses['records'], 'find'>,
  now: Date,
): Promise<readonly MemoryRecord[]> {
  if (record?.thread === undefined) return []
  const { items } = await records.find({ where: { thread: record.thread }, sort: { storedAs: -1 }, limit: BEFORE })
  const isNear = ({ sessionId, createdAt }: MemoryRecord): boolean =>
    sessionId !== undefined || now.getTime() - Date.parse(createdAt) < TAGS_MS
  return items.filter(isNear).reverse()
}

/** Removes records and their dependent data in `tx`. A record that one of them replaced is valid again. */
export async function removeRecords(ids: readonly string[], { records, vectors }: MemoryUses, tx: Transaction): Promise<number> {
  if (ids.length === 0) return 0
  await records.in(tx).updateMany({ supersededBy: { in: [...ids] } }, { unset: ['supersededBy'] })
  const removed = await records.in(tx).deleteMany({ id: { in: [...ids] } })
  await vectors.in(tx).deleteMany({ id: { in: [...ids] } })
  return removed
}

/** After the commit, updates the caches of this process and embeds pending records. */
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
