import { BadRequest } from '@gateway/sdk'
import { isAddress } from './address.ts'

const PREFIX = 'after:'

/** The cursor of the page that begins after an address. */
export const cursorAt = (address: string): string => Buffer.from(`${PREFIX}${address}`).toString('base64url')

/** Returns the address that a page begins after. Throws BAD_REQUEST for a text that `cursorAt` has not made. */
export function readPlace(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  const address = text.slice(PREFIX.length)
  if (text.startsWith(PREFIX) && isAddress(address) && cursorAt(address) === cursor) return address
  throw BadRequest({ field: 'cursor', message: '`cursor` must be the `nextCursor` of the page before; start again without a cursor.' })
}
