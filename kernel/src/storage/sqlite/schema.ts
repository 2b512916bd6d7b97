import type { CollectionRef } from '@gateway/sdk'
import type { PrepareReport } from '../port.ts'
import type { Connection } from './connection.ts'
import { insertText, parse } from './row-writer.ts'
import { type Table, type TableIndex, tableOf } from './table.ts'

/** Of the layout in table.ts. Raise it when an older version could no longer read what this one writes. */
const SCHEMA_VERSION = 1
/** 'gtwy', so that `file` and the next start know whose database this is. */
const APPLICATION_ID = 0x67747779

/** Refuse a database that is not ours, or that a newer version has written; mark a new one. */
export function checkSchemaVersion(db: Connection, path: string): void {
  const owner = db.get('pragma application_id')?.application_id
  const version = db.get('pragma user_version')?.user_version as number
  if (owner === 0 && version === 0) {
    db.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${SCHEMA_VERSION}`)
    return
  }
  if (owner !== APPLICATION_ID) throw new Error(`${path} is a database of another program. Choose another data folder.`)
  if (version > SCHEMA_VERSION)
    throw new Error(
      `${path} was written by a newer version of the gateway (schema ${version}; this version knows ${SCHEMA_VERSION}). Run that version or a newer one.`,
    )
}

/** Create what is declared and missing; report what is there and no longer declared. */
export function prepareTables(db: Connection, refs: readonly CollectionRef[]): { tables: Map<string, Table>; report: PrepareReport } {
  const created: string[] = []
  const tables = new Map<string, Table>()
  for (const ref of refs) {
    const table = tableOf(ref)
    tables.set(table.id, table)
    created.push(...prepareTable(db, table))
  }
  const declared = new Set([...tables.values()].flatMap((table) => [table.id, `${table.id}:text`, ...table.indexes.flatMap(indexNames)]))
  // Quoting of the patterns: an underscore stands for any character in LIKE, so GLOB.
  const unused = db
    .all(
      `select name from sqlite_schema where sql is not null and name not glob 'sqlite_*' and name not glob '*:text_*'
       and name not glob '*:id' order by name`,
    )
    .map((row) => row.name as string)
    .filter((name) => !declared.has(name))
  return { tables, report: { created, unused } }
}

function prepareTable(db: Connection, table: Table): readonly string[] {
  const created: string[] = []
  const isNew = !exists(db, table.id)
  if (isNew) {
    db.exec(`create table ${table.name} (pk integer primary key, tenant text not null, id text not null, doc text not null)`)
    db.exec(`create unique index "${table.id}:id" on ${table.name} (tenant, id)`)
    created.push(table.id)
  }
  addColumns(db, table)
  for (const index of table.indexes) {
    for (const [name, sql] of indexSql(table, index)) {
      if (exists(db, name)) continue
      db.exec(sql)
      created.push(name)
    }
  }
  if (prepareText(db, table)) created.push(`${table.id}:text`)
  return created
}

/** A column is filled from the documents that are there, in the same transaction that adds it. */
function addColumns(db: Connection, table: Table): void {
  const present = new Set(db.all(`pragma table_info(${table.name})`).map((row) => `"${row.name as string}"`))
  const missing = [...table.columns].filter(([, column]) => !present.has(column))
  for (const [, column] of missing) db.exec(`alter table ${table.name} add column ${column}`)
  if (missing.length > 0)
    db.exec(`update ${table.name} set ${missing.map(([field, column]) => `${column} = json_extract(doc, '$."${field}"')`).join(', ')}`)
}

/** The index itself and, for an expiring one, a second by time alone: a sweep asks for all tenants at once. */
function indexSql(table: Table, index: TableIndex): readonly (readonly [name: string, sql: string])[] {
  const [name, sweepName] = indexNames(index)
  const column = (field: string): string => (field === table.key ? 'id' : (table.columns.get(field) as string))
  const last = index.keys.at(-1)
  const keys = index.keys.map(({ field, direction }) => column(field) + (direction === 1 ? '' : ' desc'))
  // The id stands last so that the index gives the total order, ties included. In a unique index it would undo the uniqueness.
  const tie = index.unique || last?.field === table.key ? [] : [`id${last?.direction === 1 ? '' : ' desc'}`]
  const where = index.present === undefined ? '' : ` where ${column(index.present)} is not null`
  const unique = index.unique ? 'unique ' : ''
  const sql = `create ${unique}index "${name}" on ${table.name} (${['tenant', ...keys, ...tie].join(', ')})${where}`
  if (sweepName === undefined) return [[name as string, sql]]
  const time = column(index.keys[0]?.field as string)
  return [
    [name as string, sql],
    [sweepName, `create index "${sweepName}" on ${table.name} (${time}) where ${time} is not null`],
  ]
}

function indexNames(index: TableIndex): readonly string[] {
  return index.expireAfterSeconds === undefined ? [index.name] : [index.name, `${index.name}:expire`]
}

/** Contentless: the words alone, for the documents lie beside it. Made anew when other fields are declared. */
function prepareText(db: Connection, table: Table): boolean {
  const columns = ['tenant_word', ...table.text.map((field) => `text_${field}`)]
  const name = `${table.id}:text`
  const present = exists(db, name) ? db.all(`pragma table_info(${table.textName})`).map((row) => row.name as string) : []
  if (table.text.length === 0 || columns.join() === present.join()) return false
  if (present.length > 0) db.exec(`drop table ${table.textName}`)
  const list = columns.map((column) => `"${column}"`).join(', ')
  db.exec(
    `create virtual table ${table.textName} using fts5(${list}, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2')`,
  )
  const pks = db.all(`select pk from ${table.name}`)
  for (const { pk } of pks) {
    const row = db.get(`select tenant, doc from ${table.name} where pk = ?`, [pk as number])
    if (row) insertText(db, table, row.tenant as string, pk as number, parse(row))
  }
  return true
}

function exists(db: Connection, name: string): boolean {
  return db.get('select 1 from sqlite_schema where name = ?', [name]) !== undefined
}
