import type { HealthProbe } from '@gateway/sdk'
import type { Settings } from '@gateway/settings'
import type { Store } from '@gateway/storage'
import type { Logger } from 'pino'
import type { AuditTrail } from './audit.ts'

export interface HealthParts {
  readonly store: Store
  readonly admission: { readonly inFlight: number }
  readonly settings: Settings
  readonly log: Logger
  readonly audit: Pick<AuditTrail, 'fault'>
  readonly probes: () => readonly HealthProbe[]
}
