import { closed, Type } from '@gateway/sdk'

/** Steps that are recorded once, in the order of the journey. The sign-up is in the tenant's own record. */
const RECORDED = ['init', 'first_brain_boot', 'first_brain_delta', 'wrapup_merge', 'first_task_shipped', 'retained'] as const
const STEPS = ['signup', ...RECORDED] as const
export type RecordedStep = (typeof RECORDED)[number]
export type Step = (typeof STEPS)[number]

const at = Type.Optional(Type.String())
/** A tenant's record: the first time of each step. */
export const journeySchema = Type.Object(
  {
    journeyId: Type.String(),
    init: at,
    first_brain_boot: at,
    first_brain_delta: at,
    wrapup_merge: at,
    first_task_shipped: at,
    retained: at,
  } satisfies Record<RecordedStep | 'journeyId', unknown>,
  closed,
)

export const step = Type.Enum(STEPS)
export const stepCount = Type.Object({ step, tenants: Type.Integer({ description: 'Number of tenants that did it.' }) }, closed)
export const rate = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1, description }))
