import type { CollectionRef } from '@gateway/sdk'
import { callKeys } from '@gateway/storage'
import { localTokens } from '../access/local-token.ts'
import type { KernelPart } from '../boot/adapters.ts'
import { kernelCollections } from './collections.ts'
import { knownTenants } from './known-tenants.ts'

/** Lists every collection that belongs to no plugin: those of the core and those of each part. */
export function kernelRecords(parts: readonly KernelPart[]): readonly CollectionRef[] {
  return [...kernelCollections, localTokens, knownTenants, callKeys, ...parts.flatMap(({ records = [] }) => records)]
}
