import type { SearchQuery } from '@gateway/sdk'
import { badField, checkLimit } from '@gateway/storage'
import type { SqlValue } from './driver.ts'
import { filterToSql } from './filter-to-sql.ts'
import { LIMIT } from './limit.ts'
import { tenantWord } from './pending-texts.ts'
import type { Statement } from './select.ts'
import type { Table } from './table.ts'

/** Rows of `doc` and `score`, best first by BM25. `words` are joined by AND or by OR. */
export function searchSql(
  table: Table,
  tenant: string,
  query: SearchQuery<Record<string, unknown>>,
  words: string,
  nowMs: number,
): Statement {
  if (table.text.length === 0) throw badField('text', `collection ${table.id} has no text fields`)
  const limit = checkLimit(query.limit, 10, 1_000)
  const fields = table.text.map((field) => `text_${field}`).join(' ')
  // The tenant is a word that every match must have: the index intersects it, so other tenants' documents are never fetched.
  const params: SqlValue[] = [`tenant_word : ${tenantWord(tenant)} AND {${fields}} : (${words})`, tenant]
  // The tenant's word has no weight in the score.
  const weights = ['0.0', ...table.text.map(() => '1.0')].join(', ')
  const filter = filterToSql(table, query.where, nowMs, params)
  params.push(limit)
  const sql = `select doc, -bm25(${table.textName}, ${weights}) as score
    from ${table.textName} cross join ${table.name} on pk = ${table.textName}.rowid
    where ${table.textName} match ? and tenant = ?${filter}
    order by score desc, id ${LIMIT}`
  return { sql, params }
}
