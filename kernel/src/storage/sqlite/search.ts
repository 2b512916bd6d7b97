import type { SearchHit, SearchQuery } from '@gateway/sdk'
import { badField, type Doc } from '../documents.ts'
import { checkLimit } from '../limits.ts'
import { searchWords } from '../search-words.ts'
import type { Connection } from './connection.ts'
import type { SqlValue } from './driver.ts'
import { filterToSql } from './filter-to-sql.ts'
import { parse, tenantWord } from './row-writer.ts'
import type { Table } from './table.ts'

/** Documents that hold all the words; where there is none, those that hold any. Nearest first, by BM25. */
export function search(
  db: Connection,
  table: Table,
  tenant: string,
  query: SearchQuery<Record<string, unknown>>,
  nowMs: number,
): readonly SearchHit<Doc>[] {
  if (table.text.length === 0) throw badField('text', `collection ${table.id} has no text fields`)
  const limit = checkLimit(query.limit, 10, 1_000)
  const words = searchWords(query.text)
  if (words.length === 0) return []
  const all = matching(db, table, tenant, query.where, limit, nowMs, words.join(' AND '))
  return all.length > 0 || words.length === 1 ? all : matching(db, table, tenant, query.where, limit, nowMs, words.join(' OR '))
}

function matching(
  db: Connection,
  table: Table,
  tenant: string,
  where: object | undefined,
  limit: number,
  nowMs: number,
  words: string,
): readonly SearchHit<Doc>[] {
  const fields = table.text.map((field) => `text_${field}`).join(' ')
  // The tenant is a word every match must have: the index intersects it, so other tenants’ documents are never fetched.
  const params: SqlValue[] = [`tenant_word : ${tenantWord(tenant)} AND {${fields}} : (${words})`, tenant]
  // The tenant’s word weighs nothing in the score.
  const weights = ['0.0', ...table.text.map(() => '1.0')].join(', ')
  const filter = filterToSql(table, where, nowMs, params)
  const sql = `select doc, -bm25(${table.textName}, ${weights}) as score
    from ${table.textName} cross join ${table.name} on pk = ${table.textName}.rowid
    where ${table.textName} match ? and tenant = ?${filter}
    order by score desc, id limit ?`
  return db.all(sql, [...params, limit]).map((row) => ({ item: parse(row), score: row['score'] as number }))
}
