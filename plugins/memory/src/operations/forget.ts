import { BadRequest, defined, type Filter, type Resolved, storeFiles, type Transaction } from '@gateway/sdk'
import { chunkKeeper, type ForgetFilter, memoryContributor } from '../api.ts'
import { MEMORY } from '../rules/corpus-words.ts'
import { labelsOf } from '../rules/labels.ts'
import { replaceNeighbour, wordsOfNeighbour } from '../rules/neighbours.ts'
import { tombstoneHashes } from '../rules/paragraphs.ts'
import { queryWords } from '../rules/words.ts'
import type { Record } from '../schema.ts'
import { type Call, type MemoryUses, memoryUses } from './uses.ts'
import { afterWrite, removeRecords } from './write.ts'

export const forgetUses = { ...memoryUses, keepers: chunkKeeper, contributors: memoryContributor, storeFiles }
export type ForgetUses = Resolved<typeof forgetUses>

/** Chunks per transaction: others write in between. */
const STEP = 50
/** Chunks whose texts are withdrawn from kept answers at once. */
const ROUND = 1_000
const MAX_WORDS = 32
const MAX_COUNTED_IN_PREVIEW = 1_000

/**
 * Forgets all chunks that meet the conditions, wherever they are kept, and returns their number; with `preview` it only counts
 * them. They do not come back through an index, and the next compaction of the store removes their last bytes.
 */
export async function forget(filter: ForgetFilter, preview: boolean, uses: ForgetUses, call: Call): Promise<number> {
  const { source } = filter
  let forgotten = 0
  for (const keeper of uses.keepers)
    if (source === undefined || source === keeper.source) forgotten += (await keeper.forget?.(filter, preview)) ?? 0
  const isKept = uses.keepers.some((keeper) => keeper.source === source)
  if (!isKept) forgotten += preview ? await countOwn(filter, uses) : await forgetOwn(filter, uses, call)
  if (!preview && forgotten > 0) await uses.storeFiles.scrubAtNextStart()
  return forgotten
}

/** Forgets one chunk; false when the tenant has none of this id. */
export async function forgetOne(chunkId: string, uses: ForgetUses, call: Call): Promise<boolean> {
  const record = await uses.records.get(chunkId)
  const found = record?.corpus === MEMORY
  if (found) await forgetRecords([record], uses, call)
  let isKept = false
  if (!found) for (const keeper of uses.keepers) isKept ||= (await keeper.forgetOne?.(chunkId)) ?? false
  if (found || isKept) await uses.storeFiles.scrubAtNextStart()
  return found || isKept
}

async function forgetOwn(filter: ForgetFilter, uses: ForgetUses, call: Call): Promise<number> {
  for (let forgotten = 0; ; ) {
    const items = await matching(filter, ROUND, uses)
    if (items.length === 0) return forgotten
    await forgetRecords(items, uses, call)
    forgotten += items.length
  }
}

async function countOwn(filter: ForgetFilter, uses: ForgetUses): Promise<number> {
  if (filter.query === undefined) return uses.records.count(fieldsOf(filter))
  return (await matching(filter, MAX_COUNTED_IN_PREVIEW, uses)).length
}

/** Words are found by the text index, other conditions by the fields. */
async function matching(filter: ForgetFilter, limit: number, { records }: MemoryUses): Promise<readonly Record[]> {
  const { query } = filter
  const fields = fieldsOf(filter)
  if (query === undefined) return (await records.find({ where: fields, limit })).items
  const words = queryWords(query).slice(0, MAX_WORDS)
  if (words.length === 0)
    throw BadRequest({ field: 'query', message: `\`query\` must contain a word; got ${JSON.stringify(query.slice(0, 100))}.` })
  const { and = [], ...rest } = fields
  const where = { ...rest, and: [...and, ...words.map((word) => ({ words: { has: word } }))] } as object
  return (await records.search({ text: words.join(' '), where, limit })).map(({ item }) => item)
}

function fieldsOf({ tags, repo, source, before }: ForgetFilter): Filter<Record> {
  const labels = labelsOf({ corpus: MEMORY, repo, tags })
  const time = before === undefined ? {} : { createdAt: { lt: before } }
  const and = labels.map((label) => ({ labels: { has: label } }))
  return { corpus: MEMORY, ...defined({ source }), ...time, ...(and.length > 0 && { and }) }
}

async function forgetRecords(chunks: readonly Record[], uses: ForgetUses, call: Call): Promise<void> {
  await uses.storeFiles.withdrawAnswers(
    call.tenantId,
    chunks.map(({ content }) => content),
  )
  for (let from = 0; from < chunks.length; from += STEP) {
    call.signal.throwIfAborted()
    await forgetStep(chunks.slice(from, from + STEP), uses, call)
  }
}

async function forgetStep(chunks: readonly Record[], uses: ForgetUses, call: Call): Promise<void> {
  const ids = chunks.map(({ id }) => id)
  const { items: rows } = await uses.origins.find({ where: { chunkId: { in: ids } }, limit: 10_000 })
  // Their owners go first: after a kill in between, the chunk is still there to be forgotten again.
  for (const { origin, chunkId } of rows) {
    const at = origin.indexOf(':')
    const owner = uses.contributors.find(({ name }) => name === origin.slice(0, at))
    const chunk = chunks.find(({ id }) => id === chunkId)
    if (chunk) await owner?.forget?.(origin.slice(at + 1), { content: chunk.content })
  }
  const beside = (await Promise.all(chunks.map(async (chunk) => (await neighboursOf(chunk, uses)).map((id) => ({ id, chunk }))))).flat()
  await uses.atomically(async (tx) => {
    const at = tx.now.toISOString()
    for (const hash of new Set(chunks.flatMap(({ content }) => tombstoneHashes(content))))
      await uses.forgotten.in(tx).upsert({ hash, at }, { set: { at } })
    await uses.origins.in(tx).deleteMany({ chunkId: { in: ids } })
    await removeRecords(ids, uses, tx)
    for (const { id, chunk } of beside) await leaveNeighbour(id, chunk, uses, tx)
  })
  afterWrite(uses, call, { removed: ids, added: 0 })
}

/** Words by which neighbours are found, and the number of records that are looked at. */
const NEIGHBOUR_WORDS = 8
const MAX_NEIGHBOURS = 100

/** Returns the ids of records that are found by the words of a chunk beside them. */
async function neighboursOf(chunk: Record, { records }: MemoryUses): Promise<readonly string[]> {
  const words = wordsOfNeighbour(chunk, NEIGHBOUR_WORDS)
  if (words.length === 0) return []
  const where = { and: words.map((word) => ({ around: { has: word } })) } as object
  return (await records.search({ text: words.join(' '), where, limit: MAX_NEIGHBOURS })).map(({ item }) => item.id)
}

async function leaveNeighbour(id: string, chunk: Record, { records }: MemoryUses, tx: Transaction): Promise<void> {
  const around = (await records.in(tx).get(id))?.around
  if (around === undefined) return
  const left = replaceNeighbour(around, chunk, { words: '' })
  // The piece may have been cut at the end of the field.
  await records.in(tx).updateOne(id, { set: { around: left === around ? '' : left } })
}
