import { DuplicateKey, Unavailable } from '@gateway/sdk'
import type { Table } from './table.ts'

interface SqliteError extends Error {
  readonly errcode?: number
}

const SQLITE_CONSTRAINT = 19
/** Of one statement or its data: ERROR, TOOBIG, CONSTRAINT, MISMATCH, RANGE. They undo that statement and no more. */
const OF_ONE_STATEMENT: ReadonlySet<number> = new Set([1, 18, SQLITE_CONSTRAINT, 20, 25])

function primaryCode(error: unknown): number | undefined {
  const { errcode, message } = (error ?? {}) as Partial<SqliteError>
  return typeof errcode === 'number' ? errcode & 0xff : CODES.get(message ?? '')
}

/** Where `@photostructure/sqlite` fails between two rows, it gives SQLite’s words without its code. */
const CODES: ReadonlyMap<string, number> = new Map([
  ['disk I/O error', 10],
  ['database disk image is malformed', 11],
  ['database or disk is full', 13],
  ['file is not a database', 26],
])

/**
 * A failure of the database itself (disk full, input or output, corruption), not of one statement’s data. SQLite may
 * have rolled back the whole transaction then, so nothing of the group may be acknowledged.
 */
export function isStoreFailure(error: unknown): boolean {
  const code = primaryCode(error)
  return code !== undefined && !OF_ONE_STATEMENT.has(code)
}

/** CORRUPT, NOTADB. */
const OF_THE_FILE: ReadonlySet<number> = new Set([11, 26])

/** Whether the file itself is at fault, not the disk it lies on, or who may write there. */
export function isDamage(error: unknown): boolean {
  return OF_THE_FILE.has(primaryCode(error && causeOf(error)) ?? 0)
}

const causeOf = (error: unknown): Error => ((error as Error).cause ?? error) as Error

/** Of a read or a write alike: trying again would not help. */
export function storeDamaged(error: unknown): Error {
  return new Error(`The store is damaged: ${causeOf(error).message}. \`gateway doctor\` says what to do.`, { cause: error })
}

/** SQLite says neither which file it is, nor what to do. */
export function cannotOpen(path: string, error: unknown): unknown {
  if (primaryCode(error) === undefined) return error
  return new Error(`${path} cannot be opened: ${(error as Error).message}. \`gateway doctor\` says what to do.`, { cause: error })
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
