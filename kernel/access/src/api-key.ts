import { createHash, randomInt } from 'node:crypto'
import type { KeyEnvironment } from '@gateway/sdk'

/**
 * API keys have the form `gw_<environment>_<id>_<secret><checksum>`. The id is public and finds the record. The secret has 32
 * random characters (190 bits), so a fast keyed hash is enough to store it. The checksum rejects a mistyped key without a
 * look-up and lets secret scanners recognise a key.
 */
export interface ParsedKey {
  readonly environment: KeyEnvironment
  readonly keyId: string
  readonly key: string
}

/** The prefix tells an API key from other credentials that are sent as Bearer. */
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

/** Creates a key. It is shown once; only its id and keyed hash are stored. */
export function mintKey(environment: KeyEnvironment): ParsedKey {
  const keyId = random(ID_LENGTH)
  const body = `gw_${environment}_${keyId}_${random(SECRET_LENGTH)}`
  return { environment, keyId, key: body + checksum(body) }
}

/** Splits a well-formed key into its parts, or returns undefined. It does not check that the key is valid. */
export function parseKey(text: string): ParsedKey | undefined {
  const match = SHAPE.exec(text)
  if (!match || checksum(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) return undefined
  return { environment: match[1] as KeyEnvironment, keyId: match[2] as string, key: text }
}
