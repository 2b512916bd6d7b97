import type { CollectionRef } from '@gateway/sdk'
import { acrossName, cannotBeUnique, type DeclaredIndex, type Doc, isUniqueIndex, type PrepareReport } from '@gateway/storage'
import type { Connection } from './connection.ts'
import { IDENTITY } from './identity.ts'
import { insertText, parse } from './row-writer.ts'
import { fieldValue, type Table, tableOf, termsName, textColumns } from './table.ts'

/** Version of the layout in table.ts. Raise it when an older version can no longer read what this one writes. */
const SCHEMA_VERSION = 1
/** 'gtwy', so that `file` and the next start recognise the database. */
const APPLICATION_ID = 0x67747779

/** Kind of a database for this version. `empty`: nothing was ever written to it, or nothing is left. */
export type Kind = 'empty' | 'ours' | 'foreign' | 'newer'

export function kindOf(db: Connection): Kind {
  const owner = db.get('pragma application_id')?.application_id
  if (db.get('select 1 from sqlite_schema limit 1') === undefined && (owner === 0 || owner === APPLICATION_ID)) return 'empty'
  if (owner !== APPLICATION_ID) return 'foreign'
  return versionOf(db) > SCHEMA_VERSION ? 'newer' : 'ours'
}

const versionOf = (db: Connection): number => db.get('pragma user_version')?.user_version as number

export function unusable(db: Connection, path: string, kind: Kind): string | undefined {
  if (kind === 'foreign') return `${path} is a database of another program.`
  if (kind !== 'newer') return undefined
  return `${path} was written by a newer version of the gateway (schema ${versionOf(db)}; this version knows ${SCHEMA_VERSION}).`
}

export function setApplicationId(db: Connection): void {
  db.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${SCHEMA_VERSION}`)
}

/**
 * Creates declared tables and indexes that are missing, drops unique ones that are no longer declared, and reports other
 * undeclared ones.
 */
export function prepareTables(db: Connection, refs: readonly CollectionRef[]): { tables: Map<string, Table>; report: PrepareReport } {
  const created: string[] = []
  const tables = new Map<string, Table>()
  const declared = new Set<string>()
  for (const ref of refs) {
    const table = tableOf(ref)
    const isNew = !exists(db, table.id)
    created.push(...(isNew ? createAll(db, table) : createMissing(db, table)))
    tables.set(table.id, isNew ? table : withUndeclared(db, table))
    for (const name of [table.id, ...table.indexes.flatMap(indexNames)]) declared.add(name)
    if (table.text.length > 0) declared.add(`${table.id}:text`)
  }
  // Leaves out FTS5's own tables and the adapter's index of ids. GLOB, because `_` is not a wildcard in it.
  const sql = `select name from sqlite_schema where sql is not null and name not glob '*:text_*' and name not glob '*:id' and name <> '${IDENTITY}' order by name`
  const present = db.all(sql).map((row) => row.name as string)
  return { tables, report: { created, unused: present.filter((name) => !declared.has(name)) } }
}

/** Creates a table with its indexes in one step: nothing of it can be there yet, so nothing is looked up. */
function createAll(db: Connection, table: Table): readonly string[] {
  const columns = ['pk integer primary key', 'tenant text not null', 'id text not null', 'doc text not null', ...table.columns.values()]
  const indexes = table.indexes.flatMap((index) => indexSql(table, index))
  const own = [`create table ${table.name} (${columns.join(', ')})`, `create unique index "${table.id}:id" on ${table.name} (tenant, id)`]
  db.exec([...own, ...indexes.map(([, sql]) => sql)].join(';'))
  const created = [table.id, ...indexes.map(([name]) => name)]
  return createTextIfMissing(db, table) ? [...created, `${table.id}:text`] : created
}

function createMissing(db: Connection, table: Table): readonly string[] {
  const created: string[] = []
  addColumns(db, table)
  dropUnique(db, table)
  for (const index of table.indexes) {
    for (const [name, sql] of indexSql(table, index)) {
      if (exists(db, name)) continue
      if (index.unique) refuseDuplicates(db, table, index)
      db.exec(sql)
      created.push(name)
    }
  }
  if (createTextIfMissing(db, table)) created.push(`${table.id}:text`)
  return created
}

function createTextIfMissing(db: Connection, table: Table): boolean {
  if (table.text.length === 0) return false
  const isCreated = createText(db, table)
  allowMergesOfTwo(db, table)
  return isCreated
}

/**
 * A column or text index that is no longer declared is still filled while it exists: otherwise it would answer from old
 * documents when it is declared again.
 */
function withUndeclared(db: Connection, table: Table): Table {
  const columns = new Map(table.columns)
  for (const column of columnsOf(db, table.name)) {
    if (column.startsWith('_')) columns.set(column.slice(1), `"${column}"`)
  }
  const text = columnsOf(db, table.textName).flatMap((column) => (column.startsWith('text_') ? [column.slice('text_'.length)] : []))
  const tenantWord = columnsOf(db, table.textName).includes('tenant_word')
  // An undeclared field keeps its kind and weighs nothing in searches that no longer name it.
  const weights = text.length > 0 && !tenantWord ? (table.weights ?? {}) : table.weights
  return { ...table, columns, text, weights }
}

function addColumns(db: Connection, table: Table): void {
  const present = new Set(columnsOf(db, table.name).map((name) => `"${name}"`))
  const missing = [...table.columns].filter(([, column]) => !present.has(column))
  if (missing.length === 0) return
  for (const [, column] of missing) db.exec(`alter table ${table.name} add column ${column}`)
  // Uses the same code as every later write: `json_extract` reads some numbers, such as 1e-300, slightly differently.
  const sql = `update ${table.name} set ${missing.map(([, column]) => `${column} = ?`).join(', ')} where pk = ?`
  eachRow(db, table, (pk, doc) => {
    const values = missing.map(([field]) => fieldValue(doc, field))
    if (values.some((value) => value !== null)) db.do(sql, [...values, pk])
  })
}

function dropUnique(db: Connection, table: Table): void {
  const names = db.all(`select name from sqlite_schema where type = 'index' and tbl_name = ?`, [table.id]).map((row) => row.name as string)
  const declared = new Set(table.indexes.map(({ name }) => name))
  for (const name of names) if (isUniqueIndex(table, name) && !declared.has(name)) db.exec(`drop index "${name}"`)
}

function refuseDuplicates(db: Connection, table: Table, { keys, present }: DeclaredIndex): void {
  const fields = keys.map(({ field }) => field)
  const columns = fields.map((field) => columnOf(table, field))
  const filled = [...columns, ...(present === undefined ? [] : [columnOf(table, present)])].map((column) => `${column} is not null`)
  const sql = `select tenant, min(id) as one, max(id) as other from ${table.name} where ${filled.join(' and ')}
    group by ${['tenant', ...columns].join(', ')} having count(*) > 1 limit 1`
  const row = db.get(sql)
  if (row) throw cannotBeUnique(table, `${fields.join(', ')} of ${row.one} and ${row.other} in tenant ${row.tenant}`)
}

export function columnOf(table: Table, field: string): string {
  return field === table.key ? 'id' : (table.columns.get(field) as string)
}

/**
 * The index itself; for an expiring one a second by time alone, because a sweep asks for all tenants at once; and the one over
 * all tenants.
 */
function indexSql(table: Table, index: DeclaredIndex): readonly (readonly [name: string, sql: string])[] {
  const last = index.keys.at(-1)
  const keys = index.keys.map(({ field, direction }) => columnOf(table, field) + (direction === 1 ? '' : ' desc'))
  // The id comes last, so that the index gives the total order, ties included. In a unique index it would undo the uniqueness.
  const tie = index.unique || last?.field === table.key ? [] : [`id${last?.direction === 1 ? '' : ' desc'}`]
  const where = index.present === undefined ? '' : ` where ${columnOf(table, index.present)} is not null`
  const unique = index.unique ? 'unique ' : ''
  const sql = `create ${unique}index "${index.name}" on ${table.name} (${['tenant', ...keys, ...tie].join(', ')})${where}`
  const all: (readonly [string, string])[] = [[index.name, sql]]
  if (index.expireAfterSeconds !== undefined) {
    const time = columnOf(table, index.keys[0]?.field as string)
    all.push([sweepName(index), `create index "${sweepName(index)}" on ${table.name} (${time}) where ${time} is not null`])
  }
  if (index.acrossTenants) {
    const name = acrossName(index)
    all.push([name, `create index "${name}" on ${table.name} (${[...keys, 'tenant'].join(', ')})${where}`])
  }
  return all
}

const sweepName = ({ name }: DeclaredIndex): string => `${name}:expire`

function indexNames(index: DeclaredIndex): readonly string[] {
  return [
    index.name,
    ...(index.expireAfterSeconds === undefined ? [] : [sweepName(index)]),
    ...(index.acrossTenants ? [acrossName(index)] : []),
  ]
}

/** Contentless: only the words, because the documents are in their own table. Rebuilt when other fields are declared. */
function createText(db: Connection, table: Table): boolean {
  const columns = textColumns(table)
  const present = columnsOf(db, table.textName)
  if (table.text.length === 0 || columns.join() === present.join()) return false
  if (present.length > 0) db.exec(`drop table ${table.textName}`)
  // Prepared words are used unchanged: the tokenizer `ascii` leaves other characters as they are.
  const options = `content='', contentless_delete=1, tokenize='${table.weights ? 'ascii' : 'unicode61 remove_diacritics 2'}'`
  db.exec(`create virtual table ${table.textName} using fts5(${columns.map((column) => `"${column}"`).join(', ')}, ${options})`)
  db.exec(`drop table if exists ${termsName(table)}`)
  if (table.weights) db.exec(`create virtual table ${termsName(table)} using fts5vocab(${table.textName}, row)`)
  eachRow(db, table, (pk, doc, tenant) => insertText(db, table, tenant, pk, doc))
  return true
}

/** Controls when it is tidied, see merge-texts.ts; FTS5 stores the setting with the index. */
function allowMergesOfTwo(db: Connection, { id, textName }: Table): void {
  if (db.get(`select v from "${id}:text_config" where k = 'usermerge'`)?.v === 2) return
  db.do(`insert into ${textName} (${textName}, rank) values ('usermerge', 2)`)
}

/** Reads by key, one at a time, because the documents together may exceed the memory. */
function eachRow(db: Connection, table: Table, visit: (pk: number, doc: Doc, tenant: string) => void): void {
  const next = `select pk, tenant, doc from ${table.name} where pk > ? order by pk limit 1`
  for (let row = db.get(next, [-1]); row; row = db.get(next, [row.pk as number])) visit(row.pk as number, parse(row), row.tenant as string)
}

/** Empty if there is no such table. */
export function columnsOf(db: Connection, quotedName: string): readonly string[] {
  return db.all(`pragma table_info(${quotedName})`).map((row) => row.name as string)
}

function exists(db: Connection, name: string): boolean {
  return db.get('select 1 from sqlite_schema where name = ?', [name]) !== undefined
}
