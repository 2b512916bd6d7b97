import { closed } from './objects.ts'
import { type Infer, Type } from './schema.ts'
import { defineService } from './service.ts'

/** Calls of one kind that enforcement would have refused. Times are ISO 8601. */
export const shadowEntrySchema = Type.Object(
  {
    tenantId: Type.String(),
    principal: Type.String(),
    /** Label of the caller's API key. */
    label: Type.Optional(Type.String()),
    role: Type.String(),
    operation: Type.String(),
    /** The missing capability and the least role that has it. */
    capability: Type.String(),
    leastRole: Type.String(),
    count: Type.Integer(),
    firstAt: Type.String(),
    lastAt: Type.String(),
  },
  closed,
)
/** Calls that enforcement would have refused, by caller and operation. */
export type ShadowEntry = Infer<typeof shadowEntrySchema>

/** Calls that enforcement would have refused since the start, most frequent first. */
export interface ShadowReport {
  readonly enforced: boolean
  entries(): readonly ShadowEntry[]
  /** Number of entries omitted because there were too many kinds. */
  readonly dropped: number
}
/** Provided by the kernel. It spans tenants, so it is for the operator. */
export const shadowReport = defineService<ShadowReport>('gateway.shadow-report', 'process')
