import { createHash, randomBytes } from 'node:crypto'

/** Letters and digits that cannot be confused: no I, L, O, U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Five bits each: 125 in all, so that no code can be guessed and a plain hash is enough. */
const LENGTH = 25

/** A new code, in groups of five. */
export function newCode(): string {
  const signs = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return signs.replace(/.{5}(?=.)/g, '$&-')
}

/** Stored form of a code, however it was typed. */
export function hashOf(code: string): string {
  const plain = code.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return createHash('sha256').update(plain).digest('hex')
}
