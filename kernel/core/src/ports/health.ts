import type { HealthProbe } from '@gateway/sdk'
import type { Gateway } from '../gateway.ts'
import type { AuditTrail } from './audit.ts'

/** The parts of a gateway that its health report reads. */
export interface HealthParts extends Pick<Gateway, 'store' | 'admission' | 'settings' | 'log'> {
  readonly audit: Pick<AuditTrail, 'fault'>
  readonly probes: () => readonly HealthProbe[]
}
