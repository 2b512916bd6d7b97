import { BadRequest, defined, type Filter, type Resolved, storeFiles, type Transaction } from '@gateway/sdk'
import { chunkKeeper, type ForgetFilter } from '../api.ts'
import { MEMORY } from '../rules/corpus-words.ts'
import { labelsOf } from '../rules/labels.ts'
import { replaceNeighbour, wordsOfNeighbour } from '../rules/neighbours.ts'
import { tombstoneHashes } from '../rules/tombstones.ts'
import { queryWords } from '../rules/words.ts'
import type { Record } from '../schema.ts'
import { followUses, noteChange, refreshOrigin } from './follow.ts'
import type { Call, MemoryUses } from './uses.ts'
import { afterWrite, removeRecords } from './write.ts'

export const forgetUses = { ...followUses, keepers: chunkKeeper, storeFiles }
export type ForgetUses = Resolved<typeof forgetUses>

/** Chunks per transaction: others write in between. */
const STEP = 50
/** Chunks whose texts are withdrawn from kept answers, and from the records of their owners, at once. */
const ROUND = 1_000
/** Origins of the chunks of one step. */
const MAX_ROWS = 10_000
const TOMBSTONES_PER_COMMIT = 200
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
  if (found) await refreshAll(await forgetRecords([record], uses, call), uses, call)
  let isKept = false
  if (!found) for (const keeper of uses.keepers) isKept ||= (await keeper.forgetOne?.(chunkId)) ?? false
  if (found || isKept) await uses.storeFiles.scrubAtNextStart()
  return found || isKept
}

async function forgetOwn(filter: ForgetFilter, uses: ForgetUses, call: Call): Promise<number> {
  const origins = new Set<string>()
  for (let forgotten = 0; ; ) {
    const items = await matching(filter, ROUND, uses)
    if (items.length === 0) {
      await refreshAll(origins, uses, call)
      return forgotten
    }
    for (const origin of await forgetRecords(items, uses, call)) origins.add(origin)
    forgotten += items.length
  }
}

/** The pieces beside a forgotten one begin and end with words of it. They are cut again once all is forgotten. */
async function refreshAll(origins: Iterable<string>, uses: ForgetUses, call: Call): Promise<void> {
  for (const origin of origins) await refreshOrigin(origin, uses, call)
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

/** Returns the origins that have to be read again. */
async function forgetRecords(chunks: readonly Record[], uses: ForgetUses, call: Call): Promise<ReadonlySet<string>> {
  await uses.storeFiles.withdrawAnswers(
    call.tenantId,
    chunks.map(({ content }) => content),
  )
  // Their owners go first: after a kill in between, the chunks are still there to be forgotten again.
  const origins = await forgetAtOwners(chunks, uses, call)
  for (let from = 0; from < chunks.length; from += STEP) {
    call.signal.throwIfAborted()
    await forgetStep(chunks.slice(from, from + STEP), uses, call)
  }
  return origins
}

/** Removes the texts from the records that they were indexed from; each owner gets all those of one origin together. */
async function forgetAtOwners(chunks: readonly Record[], uses: ForgetUses, call: Call): Promise<ReadonlySet<string>> {
  const byOrigin = new Map<string, Record[]>()
  for (let from = 0; from < chunks.length; from += STEP) {
    const step = new Map(chunks.slice(from, from + STEP).map((chunk) => [chunk.id, chunk]))
    const { items } = await uses.origins.find({ where: { chunkId: { in: [...step.keys()] } }, limit: MAX_ROWS })
    for (const { origin, chunkId } of items) byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), step.get(chunkId) as Record])
  }
  const changed = new Set<string>()
  for (const [origin, own] of byOrigin) {
    call.signal.throwIfAborted()
    const at = origin.indexOf(':')
    const owner = uses.contributors.find(({ name }) => name === origin.slice(0, at))
    if (!owner) continue
    await noteChange(origin, uses, call)
    changed.add(origin)
    await owner.forget?.(
      origin.slice(at + 1),
      own.map(({ content }) => ({ content })),
    )
  }
  return changed
}

async function forgetStep(chunks: readonly Record[], uses: ForgetUses, call: Call): Promise<void> {
  const ids = chunks.map(({ id }) => id)
  const beside = (await Promise.all(chunks.map(async (chunk) => (await neighboursOf(chunk, uses)).map((id) => ({ id, chunk }))))).flat()
  await bury([...new Set(chunks.flatMap(({ content }) => tombstoneHashes(content)))], uses)
  await uses.atomically(async (tx) => {
    await uses.origins.in(tx).deleteMany({ chunkId: { in: ids } })
    await removeRecords(ids, uses, tx)
    for (const { id, chunk } of beside) await leaveNeighbour(id, chunk, uses, tx)
  })
  afterWrite(uses, call, { removed: ids, added: 0 })
}

/** Writes tombstones, before the chunks are removed. */
async function bury(hashes: readonly string[], { forgotten, atomically }: ForgetUses): Promise<void> {
  for (let from = 0; from < hashes.length; from += TOMBSTONES_PER_COMMIT)
    await atomically(async (tx) => {
      const step = hashes.slice(from, from + TOMBSTONES_PER_COMMIT)
      const known = new Set((await forgotten.in(tx).getMany(step)).map(({ hash }) => hash))
      const fresh = step.filter((hash) => !known.has(hash)).map((hash) => ({ hash, at: tx.now.toISOString() }))
      if (fresh.length > 0) await forgotten.in(tx).insertMany(fresh)
    })
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
