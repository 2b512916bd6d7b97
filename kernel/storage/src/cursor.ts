import { createHash } from 'node:crypto'
import { badField, type Scalar } from './documents.ts'

/** The position after the last document of a page: its values of the sort fields, the id last. */
export type Position = readonly (Scalar | null)[]

/**
 * A cursor holds the start of the next page and a digest of its query (`scope`: collection, tenant, filter, sort), so that a
 * cursor of another query, or an edited one, is refused instead of answered wrongly.
 */
export function encodeCursor(scope: string, position: Position): string {
  const text = JSON.stringify(position)
  return Buffer.from(digest(scope, text) + text).toString('base64url')
}

export function decodeCursor(scope: string, cursor: string, length: number): Position {
  const content = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : ''
  const text = content.slice(DIGEST_LENGTH)
  // Decoding base64url ignores stray characters; an edited cursor must not pass because of that.
  const exact = Buffer.from(content).toString('base64url') === cursor
  if (!exact || content.slice(0, DIGEST_LENGTH) !== digest(scope, text)) throw badCursor()
  const position = JSON.parse(text) as Position
  if (position.length !== length) throw badCursor()
  return position
}

const DIGEST_LENGTH = 16

function digest(scope: string, text: string): string {
  return createHash('sha256').update(scope).update('\0').update(text).digest('base64url').slice(0, DIGEST_LENGTH)
}

function badCursor(): Error {
  return badField('cursor', 'expected nextCursor of the previous page of the same query; start again without a cursor')
}
