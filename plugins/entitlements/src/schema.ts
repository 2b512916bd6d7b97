import { closed, type Infer, Type, tenantPlans } from '@gateway/sdk'
import { FEATURES, LIMITS } from './rules/plans.ts'

/** Usage of a month. */
export const meterSchema = Type.Object({ meterId: Type.String(), used: Type.Number(), since: Type.String() }, closed)

const limit = Type.Object(
  {
    limit: Type.Union([Type.Number(), Type.Null()], { description: 'null: unlimited.' }),
    used: Type.Union([Type.Number(), Type.Null()], { description: 'null: not counted here.' }),
    remaining: Type.Union([Type.Number(), Type.Null()]),
    resetsAt: Type.Optional(Type.String({ description: 'Set for what is counted by month.' })),
  },
  closed,
)

export const Entitlements = Type.Object(
  {
    plan: Type.Enum([...tenantPlans]),
    features: Type.Object(Object.fromEntries(FEATURES.map((feature) => [feature, Type.Boolean()])), closed),
    limits: Type.Object(Object.fromEntries(LIMITS.map((name) => [name, limit])), closed),
  },
  closed,
)
export type Entitlements = Infer<typeof Entitlements>
export type LimitStatus = Infer<typeof limit>
