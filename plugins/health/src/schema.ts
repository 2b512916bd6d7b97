import { closed, type Infer, Type } from '@gateway/sdk'
import { alertStateSchema } from '@gateway/sdk/alerting'

export const Status = Type.Enum(['healthy', 'degraded', 'unhealthy'])

const checkSchema = Type.Object({ name: Type.String(), status: Status, details: Type.Record(Type.String(), Type.Unknown()) }, closed)

export const reportSchema = Type.Object(
  { status: Status, checks: Type.Array(checkSchema, { description: 'Sorted by name.' }), checkedAt: Type.String() },
  closed,
)
export type Report = Infer<typeof reportSchema>

export const toldSchema = Type.Object({ check: Type.String(), say: Type.Enum(['raised', 'recovered']) }, closed)

/** The only record: findings of the latest cycle, and the alerts raised. */
export const stateSchema = Type.Object(
  {
    stateId: Type.String(),
    /** Condition of the write, so that two concurrent cycles do not both raise alerts. */
    revision: Type.Integer(),
    report: Type.Optional(reportSchema),
    /** States by name of the check. */
    tracked: Type.Record(Type.String(), alertStateSchema),
    /** Time when the scheduler last began a cycle. */
    scheduledAt: Type.Optional(Type.String()),
  },
  closed,
)
export type State = Infer<typeof stateSchema>
