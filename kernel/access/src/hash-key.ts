import type { SecretHasher } from '@gateway/kernel'
import { DuplicateKey, isToolError } from '@gateway/sdk'
import { KERNEL_TENANT, type Store } from '@gateway/storage'
import type { Logger } from 'pino'
import { hashKeys } from './collections.ts'

const ID = 'hash-key'
/** The hash of this text is kept in the store and shows whether the hash key has changed. */
export const KNOWN = 'the hash key of this store'

/**
 * With a different hash key, every API key would be refused as wrong. On a store with several nodes that means a wrongly
 * configured node, which does not start. On a single node the operator may have replaced the key on purpose.
 */
export async function checkHashKey(parts: { store: Store; hasher: SecretHasher; dataDir: string; log: Logger }): Promise<void> {
  const { store, hasher, dataDir, log } = parts
  const records = store.collection<{ id: string; check: string }>(hashKeys, KERNEL_TENANT)
  const check = hasher.hash(KNOWN)
  try {
    await records.insert({ id: ID, check })
    return
  } catch (error) {
    if (!isToolError(error) || error.code !== DuplicateKey.code) throw error
  }
  if ((await records.get(ID))?.check === check) return
  if (store.shared) {
    throw new Error(
      `This node’s hash key is not the one that the API keys in the database were hashed with. ` +
        `Give every node the same: set GATEWAY_HASH_KEY, or copy keys/hash.key of a running node’s data folder to ${dataDir}/keys/hash.key.`,
    )
  }
  log.warn('the hash key has changed: API keys issued with the previous one are refused until it is restored')
}
