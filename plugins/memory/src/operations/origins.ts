import { scan, type Transaction } from '@gateway/sdk'
import type { MemoryDocument, OriginReplaced } from '../api.ts'
import { dateIn } from '../rules/dates.ts'
import { cutMarkdown, cutText } from '../rules/markdown.ts'
import { tombstoneHashes, withoutForgotten } from '../rules/paragraphs.ts'
import { MAX_CONTENT } from '../schema.ts'
import { writingOf } from './store-chunks.ts'
import type { Call, MemoryUses } from './uses.ts'
import { afterWrite, insertNew, removeRecords, type Writing } from './write.ts'

/** Step size for a long origin: others write in between. */
const STEP = 200
/** Maximum chunks of one origin; a longer file has no end. */
const MAX_CHUNKS = 50_000

/**
 * See `replaceOrigin` in api.ts. New chunks are added before old ones are removed, so that unchanged ones are found all the time.
 */
export async function replaceOrigin(
  origin: string,
  documents: readonly MemoryDocument[],
  uses: MemoryUses,
  call: Call,
): Promise<OriginReplaced> {
  const all = documents.flatMap((document) => writingsOf(document, call)).slice(0, MAX_CHUNKS)
  const writings = await remembered(all, uses, call)
  let stored = 0
  for (let from = 0; from < writings.length; from += STEP) {
    call.signal.throwIfAborted()
    stored += await addStep(origin, writings.slice(from, from + STEP), uses, call)
  }
  const existing = new Set(writings.map(({ id }) => id))
  const gone: string[] = []
  for await (const { chunkId } of scan(uses.origins, { where: { origin }, sort: { id: 1 } }, call))
    if (!existing.has(chunkId)) gone.push(chunkId)
  let removed = 0
  for (let from = 0; from < gone.length; from += STEP) removed += await removeStep(origin, gone.slice(from, from + STEP), uses, call)
  return { chunks: existing.size, stored, removed }
}

async function addStep(origin: string, writings: readonly Writing[], uses: MemoryUses, call: Call): Promise<number> {
  const fresh = await uses.atomically((tx) => addIn(tx, origin, writings, uses))
  afterWrite(uses, call, { added: fresh.size })
  return fresh.size
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
  const all = documents.flatMap((document) => writingsOf(document, call))
  const writings = await remembered(all, { forgotten: uses.forgotten.in(tx) }, call)
  const fresh = await addIn(tx, origin, writings, uses)
  tx.afterCommit(() => afterWrite(uses, call, { added: fresh.size }))
}

const PARAGRAPHS_PER_LOOKUP = 500

/** Leaves out what was forgotten, however the text is cut now. */
async function remembered(
  writings: readonly Writing[],
  { forgotten }: { readonly forgotten: Pick<MemoryUses['forgotten'], 'count' | 'getMany'> },
  call: Call,
): Promise<readonly Writing[]> {
  if ((await forgotten.count({}, { max: 1 })) === 0) return writings
  const hashes = [...new Set(writings.flatMap(({ content }) => tombstoneHashes(content)))]
  const gone = new Set<string>()
  for (let from = 0; from < hashes.length; from += PARAGRAPHS_PER_LOOKUP)
    for (const { hash } of await forgotten.getMany(hashes.slice(from, from + PARAGRAPHS_PER_LOOKUP))) gone.add(hash)
  if (gone.size === 0) return writings
  return writings.flatMap((writing) => {
    const content = withoutForgotten(writing.content, gone)
    if (content === writing.content) return [writing]
    return content.trim() === '' ? [] : [writingOf({ ...writing, content }, call, call.now(), writing.kept)]
  })
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

/** Cuts the document into chunks with their location; a session block has the date in its heading. */
function writingsOf({ markdown, cut, createdAt, outside: origin, ...document }: MemoryDocument, call: Call): readonly Writing[] {
  const pieces = cutMarkdown(markdown, cut === 'sections' ? 2 : 6)
  return pieces.flatMap(({ text, headings }) => {
    const dated = (headings.at(-1) === undefined ? undefined : dateIn(headings.at(-1) as string)) ?? createdAt
    const parts = text.length > MAX_CONTENT ? cutText(text) : [text]
    return parts.map((content) => writingOf({ ...document, origin, content, headings, createdAt: dated }, call, call.now(), false))
  })
}
