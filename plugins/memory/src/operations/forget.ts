import { BadRequest, defined, type Filter, type Resolved, scan, storeFiles, type Transaction } from '@gateway/sdk'
import { chunkKeeper, type ForgetFilter } from '../api.ts'
import { MEMORY } from '../rules/corpus-words.ts'
import { MAX_JOINED } from '../rules/joined.ts'
import { labelsOf } from '../rules/labels.ts'
import { replaceNeighbour, wordsOfNeighbour } from '../rules/neighbours.ts'
import { prepared } from '../rules/prepare.ts'
import { CONVERSATION_ORIGINS, erasesMessages, isOfConversation, MESSAGE_TAG, ROLE_TAG } from '../rules/session-texts.ts'
import { hashesOf, sentenceKey, tombstoneKey } from '../rules/tombstones.ts'
import { queryWords } from '../rules/words.ts'
import type { MemoryRecord } from '../schema.ts'
import { followUses, named, noteChange, refreshOrigin } from './follow.ts'
import type { Call, MemoryUses } from './uses.ts'
import { afterWrite, removeRecords } from './write.ts'

export const forgetUses = { ...followUses, keepers: chunkKeeper, storeFiles }
export type ForgetUses = Resolved<typeof forgetUses>

/** Chunks per transaction: others write in between. */
const CHUNKS_PER_TRANSACTION = 50
/** Chunks whose texts are withdrawn from kept answers, and from the records of their owners, at once. */
const CHUNKS_PER_ROUND = 1_000
/** Origins of the chunks of one step. */
const MAX_ROWS = 10_000
const TOMBSTONES_PER_COMMIT = 200
/** Number of words of a question at which further ones are left out. */
const MAX_WORDS = 256
const MAX_COUNTED_IN_PREVIEW = 1_000

export interface Forgotten {
  readonly forgotten: number
  /** Present if a preview ended before it had counted all. */
  readonly truncated?: true
}

/**
 * Forgets all chunks that meet the conditions, wherever they are kept, and returns their number; with `preview` it only counts
 * them. They do not come back through an index, and the next compaction of the store removes their last bytes. With a repo, they
 * are forgotten in that repo alone: what another one has too stays there. Messages of conversations are erased by words alone: see
 * `erasesMessages`. A chunk that is also such a message is forgotten, and the message is indexed again by itself.
 */
export async function forget(filter: ForgetFilter, preview: boolean, uses: ForgetUses, call: Call): Promise<Forgotten> {
  checkWords(filter)
  const { source, query } = filter
  let forgotten = 0
  let isCut = false
  for (const keeper of uses.keepers) {
    if (source !== undefined && source !== keeper.source) continue
    const kept = (await keeper.forget?.(filter, preview)) ?? 0
    forgotten += kept
    isCut ||= preview && kept >= MAX_COUNTED_IN_PREVIEW
  }
  const isKept = uses.keepers.some((keeper) => keeper.source === source)
  if (!isKept) {
    const own = preview ? await countOwn(filter, uses, call) : await forgetOwn(filter, uses, call)
    forgotten += own
    isCut ||= preview && query !== undefined && own >= MAX_COUNTED_IN_PREVIEW
  }
  if (!preview && forgotten > 0) await uses.storeFiles.scrubAtNextStart()
  return { forgotten, ...(isCut && { truncated: true as const }) }
}

/** Forgets one chunk; false when the tenant has none of this id. */
export async function forgetOne(chunkId: string, uses: ForgetUses, call: Call): Promise<boolean> {
  const record = await uses.records.get(chunkId)
  const found = record?.corpus === MEMORY
  if (found) await refreshAll(await forgetRecords([record], { repo: undefined, messages: true }, uses, call), uses, call)
  let isKept = false
  if (!found) for (const keeper of uses.keepers) isKept ||= (await keeper.forgetOne?.(chunkId)) ?? false
  if (found || isKept) await uses.storeFiles.scrubAtNextStart()
  return found || isKept
}

async function forgetOwn(filter: ForgetFilter, uses: ForgetUses, call: Call): Promise<number> {
  const origins = new Set<string>()
  const scope = { repo: filter.repo, messages: erasesMessages(filter) }
  let forgotten = 0
  const forgetAll = async (items: readonly MemoryRecord[]): Promise<void> => {
    // Noted early: a call that is cut off has forgotten some.
    if (forgotten === 0 && items.length > 0) await uses.storeFiles.scrubAtNextStart()
    for (const origin of await forgetRecords(items, scope, uses, call)) origins.add(origin)
    forgotten += items.length
  }
  for (let items = await matching(filter, CHUNKS_PER_ROUND, uses); items.length > 0; items = await matching(filter, CHUNKS_PER_ROUND, uses))
    await forgetAll(items)
  for await (const items of alsoSaid(filter, uses, call)) await forgetAll(items)
  await refreshAll(origins, uses, call)
  return forgotten
}

/** The pieces beside a forgotten one begin and end with words of it. They are cut again once all is forgotten. */
async function refreshAll(origins: Iterable<string>, uses: ForgetUses, call: Call): Promise<void> {
  for (const origin of origins) await refreshOrigin(origin, uses, call)
}

async function countOwn(filter: ForgetFilter, uses: ForgetUses, call: Call): Promise<number> {
  if (filter.query !== undefined) return (await matching(filter, MAX_COUNTED_IN_PREVIEW, uses)).length
  let count = await uses.records.count(fieldsOf(filter))
  for await (const items of alsoSaid(filter, uses, call)) count += items.length
  return count
}

/** Words are found by the text index, other conditions by the fields. */
async function matching(filter: ForgetFilter, limit: number, { records }: MemoryUses): Promise<readonly MemoryRecord[]> {
  const { query } = filter
  const fields = fieldsOf(filter)
  if (query === undefined) return (await records.find({ where: fields, limit })).items
  const words = wordsOf(query)
  const { and = [], ...rest } = fields
  const where = { ...rest, and: [...and, ...words.map((word) => ({ words: { has: word } }))] } as object
  return (await records.search({ text: words.join(' '), where, limit })).map(({ item }) => item)
}

export function checkWords({ query }: Pick<ForgetFilter, 'query'>): void {
  if (query !== undefined) wordsOf(query)
}

/** Refuses a query whose words are not all looked for: it would forget chunks that lack some of them. */
function wordsOf(query: string): readonly string[] {
  const words = queryWords(query)
  if (words.length > 0 && words.length < MAX_WORDS) return words
  const expected = words.length === 0 ? 'a word' : `fewer than ${MAX_WORDS} different words`
  throw BadRequest({ field: 'query', message: `\`query\` must contain ${expected}; got ${JSON.stringify(query.slice(0, 100))}.` })
}

function fieldsOf(filter: ForgetFilter): Filter<MemoryRecord> {
  const { tags, repo, source, before } = filter
  const labels = labelsOf({ corpus: MEMORY, repo, tags })
  const time = before === undefined ? {} : { createdAt: { lt: before } }
  const and = labels.map((label) => ({ labels: { has: label } }))
  // A message has no repo: with a repo, the chunk has it from elsewhere.
  const isOpen = repo !== undefined || erasesMessages(filter)
  const stored = isOpen ? {} : { or: [{ not: { tags: { has: MESSAGE_TAG } } }, { kept: true }] }
  return { corpus: MEMORY, ...defined({ source }), ...time, ...(and.length > 0 && { and }), ...stored }
}

/**
 * Yields matching chunks that `fieldsOf` leaves out although a document has them too. What was said first has the source and time of
 * the message, which do not concern the document, as long as a conversation holds it; tags come from both.
 */
async function* alsoSaid(filter: ForgetFilter, uses: ForgetUses, call: Call): AsyncGenerator<readonly MemoryRecord[]> {
  if (filter.repo !== undefined || erasesMessages(filter)) return
  const said = { ...fieldsOf({ ...filter, tags: [...(filter.tags ?? []), MESSAGE_TAG] }), kept: { ne: true } } as const
  const goesByTags = filter.tags?.some((tag) => !tag.startsWith(ROLE_TAG)) ?? false
  const saidOf = async (ids: readonly string[]): Promise<readonly MemoryRecord[]> => {
    const { items } = await uses.records.find({ where: { and: [said, { id: { in: [...ids] } }] }, limit: ids.length })
    if (goesByTags || items.length === 0) return items
    const where = { chunkId: { in: items.map(({ id }) => id) }, ...CONVERSATION_ORIGINS }
    const held = new Set((await uses.origins.find({ where, limit: MAX_ROWS })).items.map(({ chunkId }) => chunkId))
    return items.filter((one) => !(held.has(one.id) && wasSaidFirst(one)))
  }
  let ids: string[] = []
  let last: string | undefined
  // Rows of conversations are read and passed over, so that each stretch is short.
  for await (const { chunkId, origin } of scan(uses.origins, { sort: { chunkId: 1 } }, call)) {
    if (isOfConversation(origin) || chunkId === last) continue
    last = chunkId
    ids.push(chunkId)
    if (ids.length < CHUNKS_PER_TRANSACTION) continue
    yield await saidOf(ids)
    ids = []
  }
  if (ids.length > 0) yield await saidOf(ids)
}

/** The first writer gave a record its source and session, and its tags come first. */
const wasSaidFirst = ({ source, tags, sessionId }: MemoryRecord): boolean =>
  source === 'archive' && tags[0] === MESSAGE_TAG && sessionId !== undefined

interface Scope {
  /** Present if this repo alone forgets. */
  readonly repo: string | undefined
  /** See `erasesMessages`. */
  readonly messages: boolean
}

/** Forgets chunks everywhere, or in one repo alone. Returns the origins that have to be read again. */
async function forgetRecords(chunks: readonly MemoryRecord[], scope: Scope, uses: ForgetUses, call: Call): Promise<ReadonlySet<string>> {
  if (chunks.length === 0) return new Set()
  await uses.storeFiles.withdrawAnswers(
    call.tenantId,
    chunks.map(({ content }) => content),
  )
  await uses.storeFiles.scrubAtNextStart()
  const held = await originsOf(chunks, scope, uses, call)
  // Their owners go first: after a kill in between, the chunks are still there to be forgotten again.
  const { changed, remaining } = await forgetAtOwners(held, uses, call)
  const origins = new Set(changed)
  for (let from = 0; from < chunks.length; from += CHUNKS_PER_TRANSACTION) {
    call.signal.throwIfAborted()
    const said = await forgetStep(chunks.slice(from, from + CHUNKS_PER_TRANSACTION), { ...scope, held, remaining }, uses, call)
    for (const origin of said) origins.add(origin)
  }
  return origins
}

interface HeldBy {
  readonly origin: string
  readonly repo: string | undefined
  /** Chunks of the origin that are forgotten in it. */
  readonly chunks: readonly MemoryRecord[]
}

/** Returns the origins that forget, if they hold chunks, with those of them that belong to the repo. */
async function originsOf(
  chunks: readonly MemoryRecord[],
  { repo, messages }: Scope,
  uses: ForgetUses,
  call: Call,
): Promise<ReadonlyMap<string, HeldBy>> {
  const byOrigin = new Map<string, MemoryRecord[]>()
  for (let from = 0; from < chunks.length; from += CHUNKS_PER_TRANSACTION) {
    const step = new Map(chunks.slice(from, from + CHUNKS_PER_TRANSACTION).map((chunk) => [chunk.id, chunk]))
    const where = { chunkId: { in: [...step.keys()] }, ...(!messages && { not: CONVERSATION_ORIGINS }) }
    const { items } = await uses.origins.find({ where, limit: MAX_ROWS })
    for (const { origin, chunkId } of items) byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), step.get(chunkId) as MemoryRecord])
  }
  const held = new Map<string, HeldBy>()
  for (const [origin, all] of byOrigin) {
    call.signal.throwIfAborted()
    const own = repo === undefined ? undefined : await repoOfOrigin(origin, uses, call)
    const isOwn = (chunk: MemoryRecord): boolean =>
      repo === undefined || own === repo || (own === undefined && otherRepos(chunk, repo).length === 0)
    held.set(origin, { origin, repo: own, chunks: all.filter(isOwn) })
  }
  return held
}

async function repoOfOrigin(origin: string, { contributors }: ForgetUses, call: Call): Promise<string | undefined> {
  try {
    return (await named(origin, contributors))?.repo
  } catch (error) {
    call.log.warn('The repo of an indexed document is unknown', { origin, err: error })
    return undefined
  }
}

const otherRepos = ({ repo, alsoRepos = [] }: MemoryRecord, but: string): readonly string[] =>
  [...(repo === undefined ? [] : [repo]), ...alsoRepos].filter((one) => one !== but)

/** Removes the texts from the records that they were indexed from; each owner gets all those of one origin together. */
async function forgetAtOwners(
  held: ReadonlyMap<string, HeldBy>,
  uses: ForgetUses,
  call: Call,
): Promise<{ readonly changed: ReadonlySet<string>; readonly remaining: ReadonlySet<string> }> {
  const changed = new Set<string>()
  const remaining = new Set<string>()
  for (const { origin, chunks } of held.values()) {
    call.signal.throwIfAborted()
    const at = origin.indexOf(':')
    const owner = uses.contributors.find(({ name }) => name === origin.slice(0, at))
    if (!owner || chunks.length === 0) continue
    await noteChange(origin, uses, call)
    changed.add(origin)
    const isGone = await owner.forget?.(
      origin.slice(at + 1),
      chunks.map(({ content }) => ({ content })),
    )
    if (isGone !== true) remaining.add(origin)
  }
  return { changed, remaining }
}

interface StepScope extends Scope {
  readonly held: ReadonlyMap<string, HeldBy>
  /** Origins whose source keeps the text. */
  readonly remaining: ReadonlySet<string>
}

/** Returns the conversations that are left alone and said the same: they are read again, which brings their messages back. */
async function forgetStep(
  chunks: readonly MemoryRecord[],
  { repo, messages, held, remaining }: StepScope,
  uses: ForgetUses,
  call: Call,
): Promise<ReadonlySet<string>> {
  const ids = chunks.map(({ id }) => id)
  const beside = (await Promise.all(chunks.map(async (chunk) => (await neighboursOf(chunk, uses)).map((id) => ({ id, chunk }))))).flat()
  const hashed = new Map(chunks.map((chunk) => [chunk.id, hashesOf(chunk.content)]))
  const texts = [...hashed.values()].flatMap(({ texts }) => texts.map((hash) => tombstoneKey(hash, repo)))
  // A later text with the same sentence is a new one, if the source has lost the forgotten one.
  const sentences = [...held.values()].flatMap(({ origin, chunks: own }) =>
    !remaining.has(origin) ? [] : own.flatMap(({ id }) => hashed.get(id)?.sentences.map((hash) => sentenceKey(hash, origin)) ?? []),
  )
  await writeTombstones([...new Set([...texts, ...sentences])], uses)
  const { removed, said } = await uses.atomically(async (tx) => {
    const stay = repo === undefined ? new Set<string>() : await leaveRepo(ids, repo, held, uses, tx)
    const leave = ids.filter((id) => !stay.has(id))
    const said = messages ? new Set<string>() : await conversationsOf(leave, uses, tx)
    for (const origin of said) await noteChange(origin, { dueOrigins: uses.dueOrigins.in(tx) }, call)
    await uses.origins.in(tx).deleteMany({ chunkId: { in: leave }, ...(!messages && { not: CONVERSATION_ORIGINS }) })
    await removeRecords(leave, uses, tx)
    for (const { id, chunk } of beside) if (!stay.has(chunk.id)) await leaveNeighbour(id, chunk, uses, tx)
    return { removed: leave, said }
  })
  // The vectors of those that stay are read again, with their labels.
  afterWrite(uses, call, { removed: repo === undefined ? removed : ids, added: 0 })
  return said
}

/** Returns conversations that hold chunks: of each chunk as many as a record names. */
async function conversationsOf(ids: readonly string[], { origins }: ForgetUses, tx: Transaction): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const chunkId of ids) {
    const { items } = await origins.in(tx).find({ where: { chunkId, ...CONVERSATION_ORIGINS }, limit: MAX_JOINED })
    for (const { origin } of items) found.add(origin)
  }
  return found
}

/**
 * Takes chunks out of a repo, and returns the ids of those that stay: another document holds them, or they were stored for another
 * repo too.
 */
async function leaveRepo(
  ids: readonly string[],
  repo: string,
  held: ReadonlyMap<string, HeldBy>,
  { records, vectors, origins }: ForgetUses,
  tx: Transaction,
): Promise<ReadonlySet<string>> {
  const where = { chunkId: { in: [...ids] }, not: CONVERSATION_ORIGINS }
  const { items: rows } = await origins.in(tx).find({ where, limit: MAX_ROWS })
  const isOwn = ({ origin, chunkId }: (typeof rows)[number]): boolean => held.get(origin)?.chunks.some(({ id }) => id === chunkId) ?? false
  const stay = new Set<string>()
  for (const record of await records.in(tx).getMany(ids)) {
    const elsewhere = rows.filter((row) => row.chunkId === record.id && !isOwn(row))
    const others = otherRepos(record, repo)
    if (elsewhere.length === 0 && !(record.kept && others.length > 0)) continue
    stay.add(record.id)
    const [first, ...more] = new Set([...others, ...elsewhere.flatMap(({ origin }) => held.get(origin)?.repo ?? [])])
    const { repo: _repo, alsoRepos: _alsoRepos, thread: _thread, ...rest } = record
    const { labels, thread, words } = prepared({ ...rest, repo: first, alsoRepos: more })
    const set = { labels, words, ...defined({ repo: first, thread }), ...(more.length > 0 && { alsoRepos: more }) }
    const unset = [
      ...(first === undefined ? ['repo' as const] : []),
      ...(thread === undefined ? ['thread' as const] : []),
      ...(more.length === 0 ? ['alsoRepos' as const] : []),
      ...(others.length === 0 ? ['kept' as const] : []),
    ]
    await records.in(tx).updateOne(record.id, { set, ...(unset.length > 0 && { unset }) })
    await vectors.in(tx).updateOne(record.id, { set: { labels, at: tx.now.toISOString() } })
  }
  const left = rows.filter((row) => stay.has(row.chunkId) && isOwn(row)).map(({ id }) => id)
  if (left.length > 0) await origins.in(tx).deleteMany({ id: { in: left } })
  return stay
}

/** Writes tombstones, before the chunks are removed. */
async function writeTombstones(hashes: readonly string[], { forgotten, atomically }: ForgetUses): Promise<void> {
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
async function neighboursOf(chunk: MemoryRecord, { records }: MemoryUses): Promise<readonly string[]> {
  const words = wordsOfNeighbour(chunk, NEIGHBOUR_WORDS)
  if (words.length === 0) return []
  const where = { and: words.map((word) => ({ around: { has: word } })) } as object
  return (await records.search({ text: words.join(' '), where, limit: MAX_NEIGHBOURS })).map(({ item }) => item.id)
}

async function leaveNeighbour(id: string, chunk: MemoryRecord, { records }: MemoryUses, tx: Transaction): Promise<void> {
  const around = (await records.in(tx).get(id))?.around
  if (around === undefined) return
  const left = replaceNeighbour(around, chunk, { words: '' })
  // The piece may have been cut at the end of the field.
  await records.in(tx).updateOne(id, { set: { around: left === around ? '' : left } })
}
