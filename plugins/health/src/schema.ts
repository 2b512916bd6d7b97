import { closed, type Infer, Type } from '@gateway/sdk'
import { alertStateSchema } from '@gateway/sdk/alerting'

export const Status = Type.Enum(['healthy', 'degraded', 'unhealthy'])

const checkSchema = Type.Object({ name: Type.String(), status: Status, details: Type.Record(Type.String(), Type.Unknown()) }, closed)

/** What one cycle found. */
export const reportSchema = Type.Object(
  { status: Status, checks: Type.Array(checkSchema, { description: 'By name.' }), checkedAt: Type.String() },
  closed,
)
export type Report = Infer<typeof reportSchema>

export const toldSchema = Type.Object({ check: Type.String(), say: Type.Enum(['raised', 'recovered']) }, closed)

/** The one record: what the latest cycle found, and what has been told of it. */
export const stateSchema = Type.Object(
  {
    stateId: Type.String(),
    /** Written on the condition of the one read, so that two cycles at once do not both tell. */
    revision: Type.Integer(),
    report: Type.Optional(reportSchema),
    /** By check. */
    tracked: Type.Record(Type.String(), alertStateSchema),
    /** When the scheduler last began a cycle. */
    scheduledAt: Type.Optional(Type.String()),
  },
  closed,
)
export type State = Infer<typeof stateSchema>
