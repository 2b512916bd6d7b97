import { defineService, type Transaction } from '@gateway/sdk'
import type { RecordedStep } from './schema.ts'

export type { RecordedStep } from './schema.ts'

export interface Activation {
  /** Only the first time counts; later calls cost one read. Synthetic tenants are not recorded. */
  record(step: RecordedStep, tx?: Transaction): Promise<void>
}
export const activation = defineService<Activation>('funnel.activation')
