import type { Connection } from './connection.ts'

interface TenantTable {
  readonly id: string
  readonly name: string
  /** Present if it has a text index. */
  readonly textName: string | undefined
}

interface Known {
  readonly version: unknown
  readonly tables: readonly TenantTable[]
}
/** Finding them takes a millisecond, and a removal asks before each small batch. */
const known = new WeakMap<Connection, Known>()

/** Tables of documents in the database, including those of collections that are no longer declared. */
export function acrossTables(db: Connection): readonly TenantTable[] {
  const version = db.get('pragma schema_version')?.schema_version
  const before = known.get(db)
  if (before && before.version === version) return before.tables
  const tables = find(db)
  known.set(db, { version, tables })
  return tables
}

function find(db: Connection): readonly TenantTable[] {
  const rows = db.all(`select name, exists (select 1 from sqlite_schema as t where t.name = d.name || ':text') as text
    from sqlite_schema as d where type = 'table'
      and exists (select 1 from sqlite_schema as i where i.type = 'index' and i.tbl_name = d.name and i.name = d.name || ':id')
    order by name`)
  return rows.map(({ name, text }) => ({ id: name as string, name: `"${name}"`, textName: text ? `"${name}:text"` : undefined }))
}
