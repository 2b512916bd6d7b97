import { DuplicateKey, Unavailable } from '@gateway/sdk'
import type { Table } from './table.ts'

interface SqliteError extends Error {
  readonly errcode?: number
}

const SQLITE_CONSTRAINT = 19
/** Of one statement or its data: ERROR, TOOBIG, CONSTRAINT, MISMATCH, RANGE. They undo that statement and no more. */
const OF_ONE_STATEMENT: ReadonlySet<number> = new Set([1, 18, SQLITE_CONSTRAINT, 20, 25])

function primaryCode(error: unknown): number | undefined {
  const code = (error as SqliteError | undefined)?.errcode
  return typeof code === 'number' ? code & 0xff : undefined
}

/**
 * A failure of the database itself (disk full, input or output, corruption), not of one statement’s data. SQLite may
 * have rolled back the whole transaction then, so nothing of the group may be acknowledged.
 */
export function isStoreFailure(error: unknown): boolean {
  const code = primaryCode(error)
  return code !== undefined && !OF_ONE_STATEMENT.has(code)
}

export function storeFailed(error: unknown): Error {
  const failure = Unavailable({ message: `The store could not write: ${error instanceof Error ? error.message : String(error)}` })
  failure.cause = error
  return failure
}

/** SQLite names the columns of the index that refused: `UNIQUE constraint failed: tasks.tenant, tasks._name`. */
export function duplicateKey(table: Table, error: unknown): unknown {
  if (primaryCode(error) !== SQLITE_CONSTRAINT) return error
  const [, columns = ''] = (error as Error).message.split('constraint failed: ')
  const fields = columns
    .split(', ')
    .map((column) => column.slice(table.id.length + 1))
    .filter((column) => column !== 'tenant')
    .map((column) => (column === 'id' ? table.key : column.slice(1)))
  return DuplicateKey({ collection: table.id, fields })
}
