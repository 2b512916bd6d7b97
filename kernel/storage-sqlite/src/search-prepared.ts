import type { SearchQuery } from '@gateway/sdk'
import { checkLimit, MAX_SEARCHED, partHasWords, preparedSearch, preparedWords } from '@gateway/storage'
import type { Row, SqlValue } from './driver.ts'
import { filterToSql } from './filter-to-sql.ts'
import { LIMIT } from './limit.ts'
import { tenantMark } from './prepared-text.ts'
import type { Statement } from './select.ts'
import { type Table, termsName } from './table.ts'

/**
 * Number of documents that a search scores, at about a microsecond each. Above it the most frequent words are left out. If a
 * tenant `hasFew`, a query of `FEW_WORDS` brings no more than that.
 */
const MAX_SCORED = 25_000
/** Kept whatever they cost, because one word may say little. */
const MIN_WORDS = 2
/** A shorter query is scored directly if a tenant has few documents; for a longer one the rarest words are looked up first. */
export const FEW_WORDS = 48

export interface PreparedQuery {
  readonly any: readonly string[]
  /** Words that every hit has, as parts of a match. */
  readonly must: readonly string[]
  readonly where: object | undefined
  readonly limit: number
}

export function preparedQuery(table: Table, tenant: string, query: SearchQuery<Record<string, unknown>>): PreparedQuery {
  const mark = tenantMark(tenant)
  const { words, rest } = partHasWords(table.text, query.where)
  return {
    any: preparedSearch(query.text).map((word) => mark + word),
    // A text without words was never indexed.
    must: words.map(({ field, word }) => `text_${field} : "${mark}${preparedWords(word).join(' ')}"`),
    where: rest,
    limit: checkLimit(query.limit, 10, 1_000),
  }
}

/** Rows of `term` and `documents`: the number of documents that contain each word. */
export function termsSql(table: Table, { any }: PreparedQuery): Statement {
  return {
    sql: `select term, doc as documents from ${termsName(table)} where term in (select value from json_each(?))`,
    params: [JSON.stringify(any)],
  }
}

/** Words to search for: all that occur, rarest first, as long as their documents can be scored in time. */
export function affordable(rows: readonly Row[]): readonly string[] {
  const words = rows.map((row) => ({ term: row.term as string, documents: row.documents as number }))
  words.sort((a, b) => a.documents - b.documents)
  let scored = 0
  return words
    .filter(({ documents }, i) => {
      scored += documents
      return i < MIN_WORDS || (i < MAX_SEARCHED && scored <= MAX_SCORED)
    })
    .map(({ term }) => term)
}

/** Rows of `doc` and `score`, best first by BM25; without words in no order. */
export function searchPreparedSql(table: Table, tenant: string, query: PreparedQuery, words: readonly string[], nowMs: number): Statement {
  const weighed = table.text.filter((field) => (table.weights?.[field] ?? 0) > 0).map((field) => `text_${field}`)
  const any = words.length === 0 ? [] : [`{${weighed.join(' ')}} : (${words.map((word) => `"${word}"`).join(' OR ')})`]
  const params: SqlValue[] = [[...query.must, ...any].join(' AND ')]
  const weights = table.text.map((field) => (table.weights?.[field] ?? 0).toFixed(3)).join(', ')
  const score = words.length === 0 ? '0.0' : `-bm25(${table.textName}, ${weights})`
  const matched = `from ${table.textName} where ${table.textName} match ?`
  if (query.where === undefined) {
    // Selects the best keys first and then their documents: reading those of all matches would cost several times the search.
    params.push(query.limit, tenant)
    const best = `select rowid as row, ${score} as score ${matched}${words.length === 0 ? '' : ' order by score desc, rowid'} ${LIMIT}`
    return { sql: `select doc, score from (${best}) cross join ${table.name} on pk = row where tenant = ? order by score desc, id`, params }
  }
  params.push(tenant)
  const filter = filterToSql(table, query.where, nowMs, params)
  params.push(query.limit)
  const sql = `select doc, ${score} as score from ${table.textName} cross join ${table.name} on pk = ${table.textName}.rowid
    where ${table.textName} match ? and tenant = ?${filter} order by score desc, id ${LIMIT}`
  return { sql, params }
}
