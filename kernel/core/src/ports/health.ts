import type { HealthProbe } from '@gateway/sdk'
import type { Gateway } from '../gateway.ts'
import type { AuditTrail } from './audit.ts'

/** What is known of a gateway by whoever looks at its health. */
export interface HealthParts extends Pick<Gateway, 'store' | 'admission' | 'settings' | 'log'> {
  readonly audit: Pick<AuditTrail, 'fault'>
  readonly probes: () => readonly HealthProbe[]
}
