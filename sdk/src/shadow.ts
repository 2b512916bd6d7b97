import { closed } from './objects.ts'
import { type Infer, Type } from './schema.ts'
import { defineService } from './service.ts'

/** Calls of one kind that enforcement would have refused. Times are ISO 8601. */
export const shadowEntrySchema = Type.Object(
  {
    tenantId: Type.String(),
    principal: Type.String(),
    /** Of the caller’s API key. */
    label: Type.Optional(Type.String()),
    role: Type.String(),
    operation: Type.String(),
    /** What was missing, and the least role that has it. */
    capability: Type.String(),
    leastRole: Type.String(),
    count: Type.Integer(),
    firstAt: Type.String(),
    lastAt: Type.String(),
  },
  closed,
)
/** Calls that would have been refused under enforcement, by caller and operation. */
export type ShadowEntry = Infer<typeof shadowEntrySchema>

/** What shadow mode saw since the start: who would have been refused what, most often first. */
export interface ShadowReport {
  readonly enforced: boolean
  entries(): readonly ShadowEntry[]
  /** Entries left out because there were too many kinds. */
  readonly dropped: number
}
/** Provided by the kernel; spans tenants, so it is for the operator. */
export const shadowReport = defineService<ShadowReport>('gateway.shadow-report', 'process')
