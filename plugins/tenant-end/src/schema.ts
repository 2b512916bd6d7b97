import { closed, type Infer, Type, tenantPlans } from '@gateway/sdk'

const Counts = Type.Record(Type.String(), Type.Integer(), { description: 'Number of items by kind.' })

/** Progress of a tenant's removal. Counts are recorded before anything is removed, so that a crash does not lower them. */
export const endingSchema = Type.Object(
  {
    /** The tenant; not `tenantId`, because this stays when everything that names it is removed. */
    ended: Type.String(),
    asked: Type.Enum(['erasure', 'cancellation']),
    phase: Type.Enum(['removing', 'proving', 'done']),
    counted: Counts,
    /** Id of the proof: a sweep that continues after a crash checks whether it exists already. Older endings have none. */
    proofId: Type.Optional(Type.String()),
    startedAt: Type.String(),
    finishedAt: Type.Optional(Type.String()),
    /** Data found after the end, until its removal is proven. */
    late: Type.Optional(Type.Object({ counted: Counts, proofId: Type.String(), foundAt: Type.String() }, closed)),
  },
  closed,
)
export type Ending = Infer<typeof endingSchema>
export type Asked = Ending['asked']
export type Late = NonNullable<Ending['late']>

export const snapshotSchema = Type.Object(
  {
    snapshotId: Type.String(),
    tenantId: Type.String(),
    day: Type.String({ description: 'UTC, YYYY-MM-DD.' }),
    plan: Type.Enum([...tenantPlans]),
    status: Type.Enum(['active', 'suspended']),
    mrrUsd: Type.Number(),
    at: Type.String(),
  },
  closed,
)

const Failures = Type.Array(Type.Object({ tenantId: Type.String(), error: Type.String() }, closed), {
  description: 'Tenants that continue with the next sweep.',
})

export const Swept = Type.Object(
  {
    count: Type.Integer(),
    removed: Type.Array(Type.Object({ tenantId: Type.String(), counted: Counts, files: Type.Enum(['done', 'later']) }, closed), {
      description: 'Removed tenants. files: later when the store’s file is rewritten only at the next start.',
    }),
    held: Type.Array(Type.String(), { description: 'Tenants past their grace time but under legal hold; their data was not touched.' }),
    failed: Failures,
    waiting: Type.Integer({ description: 'Tenants left for the next sweep.' }),
  },
  closed,
)
export type Swept = Infer<typeof Swept>

export const PurgeResult = Type.Object(
  {
    removed: Type.Record(Type.String(), Type.Integer(), { description: 'Records removed, by family.' }),
    auditDays: Type.Integer({ description: 'Removed day-files of audit trails.' }),
    held: Type.Array(Type.String(), { description: 'Tenants under legal hold; their data was not touched.' }),
    failed: Type.Array(Type.Object({ what: Type.String(), error: Type.String() }, closed)),
  },
  closed,
)
