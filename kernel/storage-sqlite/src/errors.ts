import { DuplicateKey, Unavailable } from '@gateway/sdk'
import type { Table } from './table.ts'

interface SqliteError extends Error {
  readonly errcode?: number
}

const SQLITE_CONSTRAINT = 19
/** Errors of one statement or its data, which undo only that statement: ERROR, TOOBIG, CONSTRAINT, MISMATCH, RANGE. */
const OF_ONE_STATEMENT: ReadonlySet<number> = new Set([1, 18, SQLITE_CONSTRAINT, 20, 25])

function primaryCode(error: unknown): number | undefined {
  const { errcode, message } = (error ?? {}) as Partial<SqliteError>
  return typeof errcode === 'number' ? errcode & 0xff : CODES.get(message ?? '')
}

/** If `@photostructure/sqlite` fails between two rows, it gives SQLite's message without its code. */
const CODES: ReadonlyMap<string, number> = new Map([
  ['disk I/O error', 10],
  ['database disk image is malformed', 11],
  ['database or disk is full', 13],
  ['file is not a database', 26],
])

/**
 * A failure of the database itself (disk full, input or output, corruption), not of one statement's data. SQLite may then have
 * rolled back the whole transaction, so nothing of the group may be acknowledged.
 */
export function isStoreFailure(error: unknown): boolean {
  const code = primaryCode(error)
  return code !== undefined && !OF_ONE_STATEMENT.has(code)
}

/** CORRUPT, NOTADB. */
const OF_THE_FILE: ReadonlySet<number> = new Set([11, 26])

/** True if the file itself is at fault, rather than its disk or its permissions. */
export function isDamage(error: unknown): boolean {
  return OF_THE_FILE.has(primaryCode(error && causeOf(error)) ?? 0)
}

const causeOf = (error: unknown): Error => ((error as Error).cause ?? error) as Error

/** For reads and writes alike: a retry would not help. */
export function storeDamaged(error: unknown): Error {
  return new Error(`The store is damaged: ${causeOf(error).message}. \`gateway doctor\` says what to do.`, { cause: error })
}

/** SQLite names neither the file nor the remedy. */
export function cannotOpen(path: string, error: unknown): unknown {
  if (primaryCode(error) === undefined) return error
  return new Error(`${path} cannot be opened: ${(error as Error).message}. \`gateway doctor\` says what to do.`, { cause: error })
}

export function storeFailed(error: unknown): Error {
  const failure = Unavailable({ message: `The store could not write: ${error instanceof Error ? error.message : String(error)}` })
  failure.cause = error
  return failure
}

/** SQLite names the columns of the refusing index: `UNIQUE constraint failed: tasks.tenant, tasks._name`. */
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
