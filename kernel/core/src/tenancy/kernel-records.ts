import type { CollectionRef } from '@gateway/sdk'
import { localTokens } from '../access/local-token.ts'
import type { KernelPart } from '../boot/adapters.ts'
import { kernelCollections } from './collections.ts'
import { knownTenants } from './known-tenants.ts'

/** Every collection that is no plugin’s: what the core keeps for itself, and what each part brings. */
export function kernelRecords(parts: readonly KernelPart[]): readonly CollectionRef[] {
  return [...kernelCollections, localTokens, knownTenants, ...parts.flatMap(({ records = [] }) => records)]
}
