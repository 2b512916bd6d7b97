import { acrossIndex, acrossName } from '@gateway/storage'
import type { Connection } from './connection.ts'
import type { SqlValue } from './driver.ts'
import { filterToSql } from './filter-to-sql.ts'
import type { Table } from './table.ts'

/** The tenants with documents in a table: one seek for each, however many documents it has. */
export function tenantsIn(db: Connection, { name }: Table): readonly string[] {
  const sql = `with recursive found(tenant) as (
      select min(tenant) from ${name}
      union all
      select (select min(tenant) from ${name} where tenant > found.tenant) from found where found.tenant is not null
    ) select tenant from found where tenant is not null`
  return db.all(sql).map((row) => row.tenant as string)
}

/** Tenants with a document that matches `where`, by the index that covers all tenants. */
export function tenantsWith(db: Connection, table: Table, where: object, nowMs: number): readonly string[] {
  const params: SqlValue[] = []
  const filter = filterToSql(table, where, nowMs, params)
  const sql = `select distinct tenant from ${table.name} indexed by "${acrossName(acrossIndex(table, where))}" where true${filter}`
  return db.all(sql, params).map((row) => row.tenant as string)
}
