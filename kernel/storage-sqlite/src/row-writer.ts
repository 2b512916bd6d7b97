import { applyUpdate, type Doc, documentId } from '@gateway/storage'
import type { Connection } from './connection.ts'
import type { Row, SqlValue } from './driver.ts'
import { duplicateKey } from './errors.ts'
import { columnValue, fieldValue, type Table } from './table.ts'

export function parse(row: Row): Record<string, unknown> {
  return JSON.parse(row.doc as string) as Record<string, unknown>
}

export function insertDoc(db: Connection, table: Table, tenant: string, doc: Doc): Doc {
  const json = JSON.stringify(doc)
  // The stored document is the one that JSON keeps: columns must agree with the text, and the caller must get the same back.
  const stored = JSON.parse(json) as Doc
  const params: SqlValue[] = [tenant, documentId(stored, table.key), json]
  for (const field of table.columns.keys()) params.push(fieldValue(stored, field))
  const { lastInsertRowid } = changing(table, () => db.run(table.insert, params))
  if (table.text.length > 0) insertText(db, table, tenant, Number(lastInsertRowid), stored)
  return stored
}

/** `row` is the current row; returns the document after the update. */
export function updateDoc(db: Connection, table: Table, tenant: string, row: Row, update: object, nowMs: number): Doc {
  const doc = parse(row)
  const before = applyUpdate(doc, update, table.key, nowMs)
  const json = JSON.stringify(doc)
  if (json === row.doc) return doc
  const params: SqlValue[] = [json]
  let changes = table.updates.root
  for (const [field, previous] of before) {
    const column = table.columns.get(field)
    if (column === undefined) continue
    const value = fieldValue(doc, field)
    if (value === columnValue(previous)) continue
    changes = changes.to(column)
    params.push(value)
  }
  const pk = row.pk as number
  params.push(pk)
  const sql = (changes.sql ??= updateSql(table, ['doc', ...changes.parts]))
  changing(table, () => db.do(sql, params))
  if (table.text.some((field) => before.has(field) && doc[field] !== before.get(field))) {
    db.texts.add(db, table, pk, undefined)
    insertText(db, table, tenant, pk, doc)
  }
  return doc
}

function updateSql(table: Table, columns: readonly string[]): string {
  return `update ${table.name} set ${columns.map((column) => `${column} = ?`).join(', ')} where pk = ?`
}

export function deleteRow(db: Connection, table: Table, row: Row): void {
  db.do(`delete from ${table.name} where pk = ?`, [row.pk as number])
  if (table.text.length > 0) db.texts.add(db, table, row.pk as number, undefined)
}

function changing<T>(table: Table, statement: () => T): T {
  try {
    return statement()
  } catch (error) {
    throw duplicateKey(table, error)
  }
}

/** Enters the text index with its group, see pending-texts.ts. */
export function insertText(db: Connection, table: Table, tenant: string, pk: number, doc: Doc): void {
  const texts = table.text.map((field) => searchable(doc[field]))
  db.texts.add(db, table, pk, { tenant, texts })
}

/** Words are found in strings and in lists of strings. */
function searchable(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.filter((element) => typeof element === 'string').join('\n') : ''
}
