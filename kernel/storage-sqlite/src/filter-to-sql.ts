import { afterPrefix, asciiLower, checkField, eachCondition, type Operator } from '@gateway/storage'
import type { SqlValue } from './driver.ts'
import { columnValue, fieldSql, type Table } from './table.ts'

/** A value for a field whose `in` is split, see select.ts. */
export type Pinned = ReadonlyMap<string, SqlValue>

/** Longer lists are passed as one JSON parameter, so that they do not each need their own statement. */
const INLINE_LIST = 64

/**
 * Compiles the filter to conditions joined by `and`, each with the word in front, so that it can follow another condition; its
 * parameters are pushed to `params`. A condition may be NULL if it does not hold; `not` handles that.
 */
export function filterToSql(table: Table, filter: object | undefined, nowMs: number, params: SqlValue[], pinned?: Pinned): string {
  let sql = ''
  for (const field in filter) {
    const entry = (filter as Readonly<Record<string, unknown>>)[field]
    if (entry === undefined) continue
    if (field === 'and') {
      for (const part of entry as object[]) sql += filterToSql(table, part, nowMs, params)
    } else if (field === 'or') {
      const parts = (entry as object[]).map((part) => `(true${filterToSql(table, part, nowMs, params)})`)
      sql += parts.length === 0 ? ' and false' : ` and (${parts.join(' or ')})`
    } else if (field === 'not') {
      sql += ` and (true${filterToSql(table, entry as object, nowMs, params)}) is not true`
    } else {
      const column = fieldSql(table, checkField(field))
      eachCondition(field, entry, nowMs, (operator, operand) => {
        const pin = operator === 'in' ? pinned?.get(field) : undefined
        sql += ` and ${pin === undefined ? conditionSql(column, field, operator, operand, params) : equalSql(column, pin, params)}`
      })
    }
  }
  return sql
}

export function equalSql(column: string, value: SqlValue, params: SqlValue[]): string {
  if (value === null) return `${column} is null`
  params.push(value)
  return `${column} = ?`
}

function conditionSql(column: string, field: string, operator: Operator, operand: unknown, params: SqlValue[]): string {
  switch (operator) {
    case 'eq':
      return equalSql(column, columnValue(operand), params)
    case 'ne':
      params.push(columnValue(operand))
      return `${column} is not ?`
    case 'in':
      return listSql(column, operand as unknown[], params)
    case 'nin':
      return `(${listSql(column, operand as unknown[], params)}) is not true`
    case 'lt':
      return rangeSql(column, '<', columnValue(operand), params)
    case 'lte':
      return rangeSql(column, '<=', columnValue(operand), params)
    case 'gt':
      return rangeSql(column, '>', columnValue(operand), params)
    case 'gte':
      return rangeSql(column, '>=', columnValue(operand), params)
    case 'exists':
      return `${column} is ${operand ? 'not ' : ''}null`
    case 'prefix':
      return prefixSql(column, operand as string, params)
    case 'contains':
      params.push(asciiLower(operand as string))
      return `(typeof(${column}) = 'text' and instr(lower(${column}), ?) > 0)`
    case 'has':
      return hasSql(field, operand, params)
  }
}

/** Numbers sort before all strings in SQLite, so a bound at '' keeps a comparison within its type and on the index. */
function rangeSql(column: string, comparison: '<' | '<=' | '>' | '>=', value: SqlValue, params: SqlValue[]): string {
  params.push(value)
  const bound = `${column} ${comparison} ?`
  if (typeof value === 'string') return comparison.startsWith('<') ? `${bound} and ${column} >= ''` : bound
  return comparison.startsWith('>') ? `${bound} and ${column} < ''` : bound
}

function listSql(column: string, values: readonly unknown[], params: SqlValue[]): string {
  const listed = values.filter((value) => value !== null).map(columnValue)
  const orNull = listed.length < values.length ? ` or ${column} is null` : ''
  if (listed.length === 0) return orNull === '' ? 'false' : `${column} is null`
  if (listed.length > INLINE_LIST) params.push(JSON.stringify(listed))
  else params.push(...listed)
  const list = listed.length > INLINE_LIST ? 'select value from json_each(?)' : listed.map(() => '?').join(', ')
  return `(${column} in (${list})${orNull})`
}

function prefixSql(column: string, prefix: string, params: SqlValue[]): string {
  params.push(prefix)
  const end = afterPrefix(prefix)
  if (end === undefined) return `${column} >= ?`
  params.push(end)
  return `${column} >= ? and ${column} < ?`
}

/** Also compares the JSON type: for `json_each` alone, true is 1 and an object is its text. */
function hasSql(field: string, element: unknown, params: SqlValue[]): string {
  const path = `'$."${field}"'`
  params.push(columnValue(element))
  const types = Array.isArray(element) ? "'array'" : typesOf[typeof element]
  const type = element === null ? "'null'" : typeof element === 'boolean' ? `'${element}'` : types
  return `(json_type(doc, ${path}) = 'array' and exists (select 1 from json_each(doc, ${path}) where value is ? and type in (${type})))`
}

const typesOf: Readonly<Record<string, string>> = { string: "'text'", number: "'integer', 'real'", object: "'object'" }
