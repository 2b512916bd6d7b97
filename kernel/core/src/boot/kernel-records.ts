import type { CollectionRef } from '@gateway/sdk'
import { callKeys } from '@gateway/storage'
import { tenants } from '../tenancy/collections.ts'
import { knownTenants } from '../tenancy/known-tenants.ts'
import type { KernelPart } from './adapters.ts'

export function kernelRecords(parts: readonly KernelPart[]): readonly CollectionRef[] {
  return [tenants, knownTenants, callKeys, ...parts.flatMap(({ records = [] }) => records)]
}
