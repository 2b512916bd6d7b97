import { closed, type Infer, Type } from '@gateway/sdk'

export const DIMENSIONS = ['type', 'tool', 'member', 'repo'] as const
export type Dimension = (typeof DIMENSIONS)[number]

const TYPES = ['tool_call', 'scheduled_call', 'api_call', 'resource_read', 'prompt_get'] as const
export type UsageType = (typeof TYPES)[number]

/** Occurrences of a value in an hour, or on a day. `bucket`: 2026-03-15T10, 2026-03-15. */
export const countSchema = Type.Object(
  {
    countId: Type.String(),
    span: Type.Enum(['hour', 'day']),
    bucket: Type.String(),
    dimension: Type.Enum([...DIMENSIONS]),
    value: Type.String(),
    quantity: Type.Integer(),
  },
  closed,
)

const time = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }))
export const periodFields = {
  from: time('ISO 8601, inclusive. Default: the start of this month (UTC).'),
  to: time('ISO 8601, exclusive. Default: now.'),
}
const counted = {
  from: Type.String({ description: 'Start of the counted time; the period is extended to whole hours.' }),
  to: Type.String({ description: 'Exclusive.' }),
  metering: Type.Boolean({ description: 'false: metering is off, and the totals are empty.' }),
}
const quantity = Type.Integer()

export const GROUPS = ['type', 'day', 'repo'] as const
export const groupBy = Type.Optional(Type.Enum([...GROUPS], { default: 'type', description: 'Grouping of the totals.' }))

export const UsageSummary = Type.Object(
  {
    ...counted,
    groupBy: Type.Enum([...GROUPS]),
    totals: Type.Array(Type.Object({ key: Type.String({ description: 'Type, day or repo.' }), quantity }, closed), {
      description: 'Largest first, days in order. Everything beyond 500 is summed as `(other)`.',
    }),
    total: quantity,
  },
  closed,
)
export type UsageSummary = Infer<typeof UsageSummary>

const part = (name: string) => Type.Array(Type.Object({ [name]: Type.String(), quantity }, closed))
export const UsageBreakdown = Type.Object(
  { ...counted, total: quantity, byTool: part('tool'), byMember: part('member'), byRepo: part('repo'), byDay: part('day') },
  closed,
)
export type UsageBreakdown = Infer<typeof UsageBreakdown>
