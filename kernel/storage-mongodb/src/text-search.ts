import type { SearchHit, SearchQuery } from '@gateway/sdk'
import { badField, checkLimit, type Doc, MAX_SEARCHED, partHasWords, preparedSearch, searchWords } from '@gateway/storage'
import type { Document } from 'mongodb'
import { filterToQuery } from './filter.ts'
import { at, unpack } from './layout.ts'
import type { Place } from './place.ts'

// biome-ignore lint/suspicious/noExplicitAny: the port gives each caller its own document type
type Hits = readonly SearchHit<any>[]
// biome-ignore lint/suspicious/noExplicitAny: as above
type Search = SearchQuery<any>

export async function search(place: Place, query: Search): Promise<Hits> {
  const { layout, scope } = place
  if (layout.text.length === 0) throw badField('text', `collection ${layout.id} has no text fields`)
  const limit = checkLimit(query.limit, 10, 1_000)
  return layout.weights ? searchPrepared(place, query, limit, scope.now()) : searchText(place, query, limit, scope.now())
}

/** Words in quotes must all occur; if no document has them all, any of them is enough. */
async function searchText(place: Place, { text, where }: Search, limit: number, nowMs: number): Promise<Hits> {
  const words = searchWords(text)
  const all = words.length === 0 ? [] : await hits(place, words.join(' '), where, limit, nowMs)
  return all.length === 0 && words.length > 1 ? hits(place, words.join(' ').replaceAll('"', ''), where, limit, nowMs) : all
}

/** Bare words need not all occur. `has` queries the field itself: a phrase would count in the score. */
async function searchPrepared(place: Place, { text, where }: Search, limit: number, nowMs: number): Promise<Hits> {
  const words = preparedSearch(text).slice(0, MAX_SEARCHED)
  if (words.length > 0) return hits(place, words.join(' '), where, limit, nowMs)
  if (partHasWords(place.layout.text, where).words.length === 0) return []
  const found = await place.docs.find(place.query(where, nowMs), place.options).limit(limit).toArray()
  return found.map((one) => ({ item: unpack(one), score: 0 }))
}

async function hits(
  { layout, tenant, docs, options }: Place,
  text: string,
  where: object | undefined,
  limit: number,
  nowMs: number,
): Promise<Hits> {
  const score = { $meta: 'textScore' }
  const found = await docs
    .find({ $and: [{ t: tenant, $text: { $search: text } }, filterToQuery(where, nowMs)] }, { ...options, projection: { score } })
    .sort({ score, [at(layout.key)]: 1 } as Document)
    .limit(limit)
    .toArray()
  return found.map((one) => ({ item: unpack(one) as Doc, score: (one as Document).score as number }))
}
