import { createHash } from 'node:crypto'
import { isName } from './names.ts'

/*
 * A repo has any name; in the repository and in refs it is one segment of letters, digits, `.`, `_`, `-` and `%`:
 *
 *   web a plain name, as it is
 *   my%20repo any other: its UTF-8 bytes in the form of URLs
 *   %h<32 hex digits> a name whose segment would be longer: a hash, and the name is in the front matter of its atoms
 */
const MAX_SEGMENT = 180
const HASHED = /^%h[0-9a-f]{32}$/
const PLAIN_BYTE = /[A-Za-z0-9_]/

export function segmentOf(repo: string): string {
  if (repo.length <= MAX_SEGMENT && isName(repo)) return repo
  const encoded = [...Buffer.from(repo)].map(encodeByte).join('')
  return encoded.length <= MAX_SEGMENT ? encoded : `%h${createHash('sha256').update(repo).digest('hex').slice(0, 32)}`
}

/** Returns the name behind a segment; for a hash or a foreign segment, the segment itself. */
export function repoOf(segment: string): string {
  if (!segment.includes('%')) return segment
  const bytes = segment.replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const repo = Buffer.from(bytes, 'latin1').toString()
  return segmentOf(repo) === segment ? repo : segment
}

export const isHashed = (segment: string): boolean => HASHED.test(segment)

/** Git treats dots and hyphens specially in some places: an encoded name has them encoded everywhere. */
function encodeByte(byte: number): string {
  const character = String.fromCharCode(byte)
  return PLAIN_BYTE.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
