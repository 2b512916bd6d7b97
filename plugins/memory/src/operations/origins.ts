import { scan, type Transaction } from '@gateway/sdk'
import { redactText } from '@gateway/sdk/redact'
import type { MemoryDocument, OriginReplaced } from '../api.ts'
import { chunkIdOf, contentHash } from '../rules/content-hash.ts'
import { dateIn } from '../rules/dates.ts'
import { cutText, type Section, sectionsOf } from '../rules/markdown.ts'
import { isOfConversation } from '../rules/session-texts.ts'
import { type Tombstones, withoutTombstones } from './remembered.ts'
import { writingOf } from './store-chunks.ts'
import type { Call, MemoryUses } from './uses.ts'
import { afterWrite, insertNew, removeRecords, type Writing } from './write.ts'

/** Step size for a long origin: others write in between. */
const STEP = 200
/** Maximum chunks of one origin; a longer file has no end. */
const MAX_CHUNKS = 50_000

/**
 * See `replaceOrigin` in api.ts. New chunks are added before old ones are removed, so that unchanged ones are found all the time;
 * chunks that others add to the origin while it is read stay.
 */
export async function replaceOrigin(
  origin: string,
  read: () => Promise<readonly MemoryDocument[]>,
  uses: MemoryUses,
  call: Call,
): Promise<OriginReplaced> {
  const before: string[] = []
  for await (const { chunkId } of scan(uses.origins, { where: { origin }, sort: { id: 1 } }, call)) before.push(chunkId)
  const spared = isOfConversation(origin) ? new Set(before) : undefined
  const writings = (await writingsOf(origin, await read(), uses, call, spared)).slice(0, MAX_CHUNKS)
  let stored = 0
  for (let from = 0; from < writings.length; from += STEP) {
    call.signal.throwIfAborted()
    stored += await addStep(origin, writings.slice(from, from + STEP), spared, uses, call)
  }
  const existing = new Set(writings.map(({ id }) => id))
  const gone = before.filter((chunkId) => !existing.has(chunkId))
  let removed = 0
  for (let from = 0; from < gone.length; from += STEP) removed += await removeStep(origin, gone.slice(from, from + STEP), uses, call)
  return { chunks: existing.size, stored, removed }
}

async function addStep(
  origin: string,
  writings: readonly Writing[],
  spared: ReadonlySet<string> | undefined,
  uses: MemoryUses,
  call: Call,
): Promise<number> {
  const fresh = await uses.atomically(async (tx) => addIn(tx, origin, await withoutLost(tx, origin, writings, spared, uses), uses))
  afterWrite(uses, call, { added: fresh.size })
  return fresh.size
}

/** Leaves out spared chunks that the origin has lost since it was read: they were forgotten meanwhile. */
async function withoutLost(
  tx: Transaction,
  origin: string,
  writings: readonly Writing[],
  spared: ReadonlySet<string> | undefined,
  uses: MemoryUses,
): Promise<readonly Writing[]> {
  const ids = writings.flatMap(({ id }) => (spared?.has(id) ? rowId(origin, id) : []))
  if (ids.length === 0) return writings
  const held = new Set((await uses.origins.in(tx).getMany(ids)).map(({ chunkId }) => chunkId))
  return writings.filter(({ id }) => !spared?.has(id) || held.has(id))
}

async function addIn(tx: Transaction, origin: string, writings: readonly Writing[], uses: MemoryUses): Promise<ReadonlySet<string>> {
  const fresh = await insertNew(writings, uses, tx)
  const rows = [...new Set(writings.map(({ id }) => id))].map((chunkId) => ({ id: rowId(origin, chunkId), origin, chunkId }))
  const known = new Set((await uses.origins.in(tx).getMany(rows.map(({ id }) => id))).map(({ id }) => id))
  const lacking = rows.filter(({ id }) => !known.has(id))
  if (lacking.length > 0) await uses.origins.in(tx).insertMany(lacking)
  return fresh
}

/** Adds documents to an origin in the transaction of their owner, see `MemoryWriter`. */
export async function addToOrigin(
  tx: Transaction,
  origin: string,
  documents: readonly MemoryDocument[],
  uses: MemoryUses,
  call: Call,
): Promise<void> {
  const writings = await writingsOf(origin, documents, { forgotten: uses.forgotten.in(tx) }, call)
  const fresh = await addIn(tx, origin, writings, uses)
  tx.afterCommit(() => afterWrite(uses, call, { added: fresh.size }))
}

/** Keeps chunks that were stored directly or that another origin has. */
async function removeStep(origin: string, chunkIds: readonly string[], uses: MemoryUses, call: Call): Promise<number> {
  const { origins, records, atomically } = uses
  const removed = await atomically(async (tx) => {
    await origins.in(tx).deleteMany({ id: { in: chunkIds.map((chunkId) => rowId(origin, chunkId)) } })
    const elsewhere = await origins.in(tx).find({ where: { chunkId: { in: [...chunkIds] } }, limit: 10_000 })
    const stay = new Set(elsewhere.items.map(({ chunkId }) => chunkId))
    for (const { id, kept } of await records.in(tx).getMany(chunkIds)) if (kept) stay.add(id)
    const leave = chunkIds.filter((id) => !stay.has(id))
    await removeRecords(leave, uses, tx)
    return leave
  })
  afterWrite(uses, call, { removed, added: 0 })
  return removed.length
}

const rowId = (origin: string, chunkId: string): string => `${origin}\n${chunkId}`

interface Block extends Section {
  readonly document: MemoryDocument
  readonly repo: string | undefined
}

/**
 * Cuts documents into chunks with their location, without secrets and without what was forgotten; a session block has the date in
 * its heading. A text whose chunks are all `spared` stays whole: it was forgotten elsewhere, where conversations are left alone.
 */
async function writingsOf(
  origin: string,
  documents: readonly MemoryDocument[],
  tombstones: Tombstones,
  call: Call,
  spared?: ReadonlySet<string>,
): Promise<readonly Writing[]> {
  const blocks: readonly Block[] = documents.flatMap((document) =>
    sectionsOf(document.markdown, document.cut === 'sections' ? 2 : 6).map(({ headings, text }) => ({
      document,
      repo: document.repo,
      headings,
      text: redactText(text),
    })),
  )
  const isSpared = ({ text }: Block): boolean => cutText(text).every((content) => spared?.has(chunkIdOf(contentHash(content))))
  const left = (await withoutTombstones(blocks, tombstones, origin)).map((one, at) => {
    const whole = blocks[at] as Block
    return one.text !== whole.text && isSpared(whole) ? whole : one
  })
  return left.flatMap(({ document: { markdown: _markdown, cut: _cut, createdAt, outside, ...place }, headings, text }) => {
    const dated = (headings.at(-1) === undefined ? undefined : dateIn(headings.at(-1) as string)) ?? createdAt
    const draft = { ...place, origin: outside, headings, createdAt: dated }
    return cutText(text).map((content) => writingOf({ ...draft, content }, call, call.now(), false))
  })
}
