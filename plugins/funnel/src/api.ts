import { defineService, type Transaction } from '@gateway/sdk'
import type { RecordedStep } from './schema.ts'

export type { RecordedStep } from './schema.ts'

/** The way of the caller’s tenant, for families that know of a step on it. */
export interface Activation {
  /** Only the first time counts; afterwards it costs one read. What a synthetic tenant does is not recorded. */
  record(step: RecordedStep, tx?: Transaction): Promise<void>
}
export const activation = defineService<Activation>('funnel.activation')
