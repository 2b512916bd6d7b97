import { createHash, randomInt } from 'node:crypto'
import type { KeyEnvironment } from '@gateway/sdk'

/**
 * API keys read `gw_<environment>_<id>_<secret><checksum>`. The id is public and finds the record; the secret is 32
 * random characters (190 bits), so that a fast keyed hash suffices to store it; the checksum rejects a mistyped key
 * without a look-up, and lets secret scanners recognise one.
 */
export interface ParsedKey {
  readonly environment: KeyEnvironment
  readonly keyId: string
  readonly key: string
}

/** What tells an API key from the other credentials that are sent as Bearer. */
export const KEY_PREFIX = 'gw_'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_LENGTH = 12
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const SHAPE = new RegExp(`^gw_(live|test)_([0-9A-Za-z]{${ID_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}})$`)

const random = (length: number): string => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

function checksum(text: string): string {
  const digest = createHash('sha256').update(text).digest()
  return Array.from({ length: CHECKSUM_LENGTH }, (_, i) => ALPHABET[(digest[i] as number) % ALPHABET.length]).join('')
}

/** A new key. It is shown once; only its id and keyed hash are stored. */
export function mintKey(environment: KeyEnvironment): ParsedKey {
  const keyId = random(ID_LENGTH)
  const body = `gw_${environment}_${keyId}_${random(SECRET_LENGTH)}`
  return { environment, keyId, key: body + checksum(body) }
}

/** The parts of a well-formed key, or undefined. Says nothing of whether it is valid. */
export function parseKey(text: string): ParsedKey | undefined {
  const match = SHAPE.exec(text)
  if (!match || checksum(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) return undefined
  return { environment: match[1] as KeyEnvironment, keyId: match[2] as string, key: text }
}
