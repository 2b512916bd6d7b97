import type { CallRecord, Operation } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import type { Store } from '@gateway/storage'
import type { Inventory } from '../gateway.ts'
import type { AuditTrail, Refusals } from '../ports/audit.ts'
import type { Admission } from './admission.ts'
import type { CallScope, Surroundings } from './context.ts'
import type { RateLimits } from './rate-limits.ts'
import type { Resolver } from './resolve.ts'
import type { OwnTools } from './tenant-tools.ts'

export interface InvokeParts extends Surroundings {
  readonly inventory: Inventory
  readonly store: Store
  readonly resolver: (uses: Operation['uses']) => Resolver
  /** Returns the tools of the caller's tenant; called if the gateway has no tool of the name. */
  readonly tenantTools: (scope: CallScope) => OwnTools | Promise<OwnTools>
  readonly audit: AuditTrail
  readonly refusals: Refusals
  readonly admission: Admission
  readonly rates: RateLimits
  readonly settings: Pick<Settings, 'callTimeoutMs'>
  /** Registers the tenant before its first write; awaited if it returns a promise. */
  readonly ensureKnown: (tenantId: string) => Promise<void> | undefined
  /** Receives every finished call; must not throw. */
  readonly observe: (call: CallRecord) => void
  /** Check every result against its output schema, as tests do. Otherwise results are sampled, and a wrong one is logged. */
  readonly checkOutputs: boolean
}
