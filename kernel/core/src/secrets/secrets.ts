import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isSameText } from '@gateway/sdk/secrets'
import { sync } from '@gateway/storage'

/** Keyed hashes of secrets. The stored form of a key or token is useless without the hash key. */
export interface SecretHasher {
  hash(secret: string): string
  /** Compares in constant time. */
  matches(secret: string, hash: string): boolean
}

/** Source of the hash key: given by the operator if several nodes share a store, otherwise a file in the data folder. */
export interface KeySource {
  readonly dataDir: string
  /** 64 hexadecimal digits. */
  readonly hashKey?: string | undefined
}

/** If no hash key is given, one is created at the first start in `<dataDir>/keys/hash.key`, readable by its owner only. */
export function openSecretHasher(source: KeySource): SecretHasher {
  return secretHasher(hashKey(source))
}

/** Derives a 32-byte key for another purpose, the same at every start. Knowing it reveals nothing about the hash key. */
export function keyFor(source: KeySource, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', hashKey(source), '', purpose, 32))
}

const hashKey = ({ dataDir, hashKey: given }: KeySource): Buffer =>
  given === undefined ? readOrMake(join(dataDir, 'keys'), 'hash.key') : Buffer.from(given, 'hex')

export function secretHasher(key: Buffer): SecretHasher {
  const hash = (secret: string): string => createHmac('sha256', key).update(secret).digest('base64url')
  return { hash, matches: (secret, stored) => isSameText(hash(secret), stored) }
}

function readOrMake(folder: string, name: string): Buffer {
  const path = join(folder, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // An existing folder gets the mode too, because a restored copy may have other modes.
  chmodSync(folder, 0o700)
  if (existsSync(path)) chmodSync(path, 0o600)
  else make(path)
  const text = readFileSync(path, 'utf8').trim()
  // Decoding alone would stop at the first wrong character and accept the part before it.
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new Error(`${path} does not hold a hash key; restore it from a backup, or remove it and issue new keys.`)
  return Buffer.from(text, 'hex')
}

/**
 * Half a key would be refused at the next start, and a key whose file name is lost in a power cut would make all stored hashes
 * worthless, so the file and its folder are synced.
 */
function make(path: string): void {
  const draft = `${path}.new`
  writeFileSync(draft, randomBytes(32).toString('hex'), { mode: 0o600, flush: true })
  renameSync(draft, path)
  sync(dirname(path))
  sync(dirname(dirname(path)))
}
