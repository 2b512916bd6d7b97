import { Conflict } from './error.ts'
import { Type } from './schema.ts'

/** Optional argument of a tool that updates one record; `checkUnchanged` compares it. */
export const ifUpdatedAt = Type.Optional(
  Type.String({ minLength: 1, maxLength: 40, description: 'updatedAt as you read it: CONFLICT if the record has changed since.' }),
)

/**
 * Throws CONFLICT if the record is no longer as the caller read it. Call it inside the transaction that changes the record; the
 * store makes `updatedAt` rise with every update.
 */
export function checkUnchanged(record: { readonly updatedAt?: string | undefined } | undefined, expected: string | undefined): void {
  if (expected === undefined || record?.updatedAt === expected) return
  const now = record === undefined ? 'it does not exist' : `its updatedAt is ${record.updatedAt}`
  throw Conflict({
    field: 'ifUpdatedAt',
    message: `\`ifUpdatedAt\` is ${expected}, and the record has changed since: ${now}. Read it again and decide.`,
  })
}

/** Returns the time to set, or one millisecond after the previous one, so that the times of a record rise strictly. */
export function risen(previous: string | undefined, given: string): string {
  if (previous === undefined || given > previous) return given
  const time = Date.parse(previous)
  return Number.isNaN(time) ? given : new Date(time + 1).toISOString()
}
