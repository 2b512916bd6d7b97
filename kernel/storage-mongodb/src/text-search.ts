import type { SearchHit, SearchQuery } from '@gateway/sdk'
import { type Doc, partHasWords, preparedSearch, searchWords } from '@gateway/storage'
import type { ClientSession, Document, Collection as MongoCollection } from 'mongodb'
import { filterToQuery } from './filter.ts'
import { at, type Layout, type Stored, unpack } from './layout.ts'

/** Where a search looks: the documents of one tenant. */
interface Place {
  readonly layout: Layout
  readonly tenant: string
  readonly docs: MongoCollection<Stored>
  readonly options: { readonly session?: ClientSession }
  readonly nowMs: number
}
// biome-ignore lint/suspicious/noExplicitAny: the port gives each caller its own document type
type Hits = readonly SearchHit<any>[]
// biome-ignore lint/suspicious/noExplicitAny: as above
type Search = SearchQuery<any>

/** Words in quotes must all be there; where no document has them all, any of them will do. */
export async function searchText(place: Place, { text, where }: Search, limit: number): Promise<Hits> {
  const words = searchWords(text)
  const all = words.length === 0 ? [] : await hits(place, words.join(' '), where, limit)
  return all.length === 0 && words.length > 1 ? hits(place, words.join(' ').replaceAll('"', ''), where, limit) : all
}

/** Bare words need not all be there. `has` asks the field itself: a phrase would be counted in the score. */
export async function searchPrepared(place: Place, { text, where }: Search, limit: number): Promise<Hits> {
  const words = preparedSearch(text)
  if (words.length > 0) return hits(place, words.join(' '), where, limit)
  if (partHasWords(place.layout.text, where).words.length === 0) return []
  const { docs, tenant, options, nowMs } = place
  const found = await docs
    .find({ $and: [{ t: tenant }, filterToQuery(where, nowMs)] }, options)
    .limit(limit)
    .toArray()
  return found.map((one) => ({ item: unpack(one), score: 0 }))
}

async function hits(
  { layout, tenant, docs, options, nowMs }: Place,
  text: string,
  where: object | undefined,
  limit: number,
): Promise<Hits> {
  const score = { $meta: 'textScore' }
  const found = await docs
    .find({ $and: [{ t: tenant, $text: { $search: text } }, filterToQuery(where, nowMs)] }, { ...options, projection: { score } })
    .sort({ score, [at(layout.key)]: 1 } as Document)
    .limit(limit)
    .toArray()
  return found.map((one) => ({ item: unpack(one) as Doc, score: (one as Document).score as number }))
}
