import type { SearchHit, SearchQuery } from '@gateway/sdk'
import { badField, checkLimit, type Doc, MAX_SEARCHED, partHasWords, preparedSearch, preparedWords, searchWords } from '@gateway/storage'
import type { Document } from 'mongodb'
import { type Candidate, ranked, type Term } from './bm25.ts'
import { filterToQuery } from './filter.ts'
import { at, unpack } from './layout.ts'
import type { Found, Place } from './place.ts'
import { textFigures } from './text-figures.ts'
import { fieldWord, plainWords } from './words.ts'

// biome-ignore lint/suspicious/noExplicitAny: the port gives each caller its own document type
type Hits = readonly SearchHit<any>[]
// biome-ignore lint/suspicious/noExplicitAny: as above
type Search = SearchQuery<any>

/** Up to this many matches are read whatever the filter says, which also counts the documents of each word. */
const FEW = 1_000
/** Number of documents that one search scores. Above it the most frequent words are left out. */
const MAX_SCORED = 25_000
/** Kept whatever they cost, because one word may say little. */
const MIN_WORDS = 2
const COUNTED_TOGETHER = 16

interface Question {
  readonly terms: readonly Term[]
  readonly filter: readonly Document[]
  readonly limit: number
}

export async function search(place: Place, query: Search): Promise<Hits> {
  const { layout, scope } = place
  if (layout.text.length === 0) throw badField('text', `collection ${layout.id} has no text fields`)
  const limit = checkLimit(query.limit, 10, 1_000)
  return layout.weights ? searchPrepared(place, query, limit, scope.now()) : searchPlain(place, query, limit, scope.now())
}

/** All words must occur; if no document has them all, any of them is enough. */
async function searchPlain(place: Place, { text, where }: Search, limit: number, nowMs: number): Promise<Hits> {
  // Two words that differ in their accents alone count twice, as in the embedded store.
  const words = searchWords(text).flatMap(plainWords)
  if (words.length === 0) return []
  const terms = words.map((word) => ({ weights: new Map([[word, 1]]) }))
  const filter = conditions(where, nowMs)
  const all = await answer(place, { terms, filter: [{ w: { $all: words } }, ...filter], limit })
  return all.length === 0 && words.length > 1 ? answer(place, { terms, filter, limit }) : all
}

/** Any word is enough. `has` on a text field names words that every hit must have. */
async function searchPrepared(place: Place, { text, where }: Search, limit: number, nowMs: number): Promise<Hits> {
  const { layout, tenant, docs, reading } = place
  const { words, rest } = partHasWords(layout.text, where)
  const must = words.flatMap(({ field, word }) => preparedWords(word).map((one) => fieldWord(layout.text.indexOf(field), one)))
  const filter = [...(must.length > 0 ? [{ w: { $all: must } }] : []), ...conditions(rest, nowMs)]
  const terms = preparedSearch(text).map((word) => ({ weights: weightsOf(place, word) }))
  if (terms.length > 0) return answer(place, { terms, filter, limit })
  if (words.length === 0) return []
  const found = await docs
    .find({ $and: [{ t: tenant }, ...filter] }, reading)
    .limit(limit)
    .toArray()
  return found.map((one) => ({ item: unpack(one), score: 0 }))
}

function weightsOf({ layout: { text, weights } }: Place, word: string): ReadonlyMap<string, number> {
  const weighed = text.map((field, i) => [fieldWord(i, word), weights?.[field] ?? 0] as const)
  return new Map(weighed.filter(([, weight]) => weight > 0))
}

function conditions(where: object | undefined, nowMs: number): readonly Document[] {
  const query = filterToQuery(where, nowMs)
  return Object.keys(query).length === 0 ? [] : [query]
}

async function answer(place: Place, question: Question): Promise<Hits> {
  const { tenant, docs, reading } = place
  const few = await candidates(place, question.terms, [], FEW + 1)
  const best = few.length > FEW ? await bestOfMany(place, question) : await bestOfFew(place, question, few)
  const ids = best.map(({ _id }) => _id)
  const found = ids.length === 0 ? [] : await docs.find({ t: tenant, _id: { $in: ids } } as Document, reading).toArray()
  const byId = new Map(found.map((one) => [String(one._id), one]))
  return best.flatMap(({ _id, score }): { item: Doc; score: number }[] => {
    const one = byId.get(String(_id)) as Found | undefined
    return one ? [{ item: unpack(one), score }] : []
  })
}

/** All documents with any of the words are known; those that meet the filter are selected among them. */
async function bestOfFew(place: Place, { terms, filter, limit }: Question, few: readonly Candidate[]) {
  const { tenant, docs, options } = place
  if (few.length === 0) return []
  const counts = terms.map(({ weights }) => few.filter(({ entries }) => entries.some((entry) => weights.has(entry))).length)
  const scored = ranked(few, terms, counts, await textFigures(place))
  if (filter.length === 0) return scored.slice(0, limit)
  const among = { $and: [{ t: tenant, _id: { $in: few.map(({ _id }) => _id) } }, ...filter] } as Document
  const met = new Set((await docs.find(among, { ...options, projection: { _id: 1 } }).toArray()).map(({ _id }) => String(_id)))
  return scored.filter(({ _id }) => met.has(String(_id))).slice(0, limit)
}

/** Counts the documents of each word by the index, and scores those of the rarest words. */
async function bestOfMany(place: Place, { terms, filter, limit }: Question) {
  const counted = await countEach(place, terms)
  const occurring = counted.filter(({ count }) => count > 0).sort((a, b) => a.count - b.count)
  let scored = 0
  const affordable = occurring.filter(({ count }, i) => {
    scored += count
    return i < MIN_WORDS || (i < MAX_SEARCHED && scored <= MAX_SCORED)
  })
  const wanted = affordable.map(({ term }) => term)
  const found = await candidates(place, wanted, filter, MAX_SCORED)
  return ranked(
    found,
    wanted,
    affordable.map(({ count }) => count),
    await textFigures(place),
  ).slice(0, limit)
}

interface Counted {
  readonly term: Term
  /** Counted up to a little more than one search scores. */
  readonly count: number
}

async function countEach({ docs, tenant, options, scope }: Place, terms: readonly Term[]): Promise<readonly Counted[]> {
  const counted: Counted[] = []
  // A session runs one command at a time.
  const together = scope.session ? 1 : COUNTED_TOGETHER
  for (let from = 0; from < terms.length; from += together) {
    const some = terms.slice(from, from + together)
    const count = ({ weights }: Term): Promise<number> =>
      docs.countDocuments({ t: tenant, w: { $in: [...weights.keys()] } }, { ...options, limit: MAX_SCORED + 1 })
    counted.push(...(await Promise.all(some.map(async (term) => ({ term, count: await count(term) })))))
  }
  return counted
}

async function candidates({ layout, tenant, docs, options }: Place, terms: readonly Term[], filter: readonly Document[], limit: number) {
  const entries = terms.flatMap(({ weights }) => [...weights.keys()])
  if (entries.length === 0) return []
  const kept = { $filter: { input: '$w', as: 'entry', cond: { $in: ['$$entry', { $literal: entries }] } } }
  const pipeline = [
    { $match: { $and: [{ t: tenant, w: { $in: entries } }, ...filter] } },
    { $limit: limit },
    { $project: { id: `$${at(layout.key)}`, length: '$l', entries: kept } },
  ]
  return docs.aggregate<Candidate>(pipeline, options).toArray()
}
