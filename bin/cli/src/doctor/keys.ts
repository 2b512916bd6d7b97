import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashKeys, KNOWN } from '@gateway/access'
import { secretHasher } from '@gateway/kernel'
import type { Settings } from '@gateway/settings'
import { firstRow } from '@gateway/storage'
import { exists } from '../exists.ts'
import { type Finding, findings } from './finding.ts'

const BACK = 'Restore the folder `keys` from a backup, or set GATEWAY_HASH_KEY as it was. API keys of another one are refused.'

/** Checks that the API keys in the store were hashed with the current hash key. */
export async function checkKeys(settings: Settings): Promise<Finding> {
  const { dataDir, hashKey } = settings
  const { ok, fail } = findings('keys')
  const path = join(dataDir, 'keys', 'hash.key')
  const name = hashKey === undefined ? path : 'GATEWAY_HASH_KEY'
  const text = hashKey ?? (exists(path) ? readFileSync(path, 'utf8').trim() : undefined)
  const known = await knownCheck(settings)
  if (text === undefined) {
    if (known === undefined) return ok(`none yet; made at the first start at ${path}`)
    return fail(`${path} is missing, and the API keys in the store were hashed with it`, BACK)
  }
  if (!/^[0-9a-f]{64}$/i.test(text)) return fail(`${name} does not hold a hash key`, BACK)
  const check = secretHasher(Buffer.from(text, 'hex')).hash(KNOWN)
  if (known !== undefined && known !== check) return fail(`${name} is not the one that the API keys in the store were hashed with`, BACK)
  return ok(known === undefined ? `${name} is readable` : `${name} is the one of the store`)
}

/** Returns the store's record of its hash key; another check covers a store that cannot be read. */
async function knownCheck(settings: Settings): Promise<string | undefined> {
  const { chosenStore } = await import('@gateway/defaults/stores')
  const kind = chosenStore(settings)
  if (!kind.isEmbedded) return undefined
  try {
    const rows = await kind.rows(settings)
    try {
      const first = rows && (await firstRow(rows, hashKeys))
      return (first?.doc as { check: string } | undefined)?.check
    } finally {
      await rows?.close()
    }
  } catch {
    return undefined
  }
}
