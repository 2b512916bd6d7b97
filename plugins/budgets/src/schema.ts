import { closed, type Infer, Type } from '@gateway/sdk'

/**
 * Money is kept in whole billionths of a dollar: a price of up to three decimals per million tokens is an integer per token, so
 * sums are exact. Nine million dollars are below the limit of exact numbers.
 */
export const NANOS_PER_USD = 1_000_000_000

const usd = Type.Number({ description: 'USD.' })
const count = Type.Integer({ minimum: 0 })

/** `lost`: the process that made the call died during it. */
const OUTCOMES = ['ok', 'failed', 'lost'] as const

/** A paid model call. `createdAt` is unique in its tenant. */
export const spendSchema = Type.Object(
  {
    createdAt: Type.String(),
    callId: Type.String(),
    provider: Type.String(),
    model: Type.String(),
    tier: Type.String(),
    agent: Type.Optional(Type.String()),
    channel: Type.String(),
    member: Type.String(),
    taskId: Type.Optional(Type.String()),
    swarmId: Type.Optional(Type.String()),
    account: Type.Optional(Type.String()),
    inputTokens: count,
    outputTokens: count,
    cacheReadTokens: Type.Optional(count),
    cacheWriteTokens: Type.Optional(count),
    estimated: Type.Boolean(),
    priced: Type.Boolean(),
    nanos: count,
    outcome: Type.Enum(OUTCOMES),
  },
  closed,
)
export type SpendRow = Infer<typeof spendSchema>

export const UsageRow = Type.Object(
  {
    createdAt: Type.String({ description: 'ISO 8601; unique in the tenant.' }),
    callId: Type.String(),
    provider: Type.String(),
    model: Type.String(),
    tier: Type.String(),
    agent: Type.Optional(Type.String()),
    channelId: Type.String(),
    userId: Type.String({ description: 'Member who called.' }),
    taskId: Type.Optional(Type.String()),
    swarmId: Type.Optional(Type.String()),
    account: Type.Optional(Type.String({ description: 'Vendor account that paid, as reported.' })),
    inputTokens: count,
    outputTokens: count,
    cacheReadTokens: Type.Optional(Type.Integer({ minimum: 0, description: 'Part of inputTokens: read from a cache.' })),
    cacheWriteTokens: Type.Optional(Type.Integer({ minimum: 0, description: 'Part of inputTokens: written to a cache.' })),
    estimated: Type.Boolean({ description: 'The provider did not report token counts; they are estimates.' }),
    priced: Type.Boolean({ description: 'false: the model has no price and costs 0.' }),
    costUsd: usd,
    outcome: Type.Enum(OUTCOMES, {
      description:
        'failed: it broke off after part of the answer had arrived. lost: the gateway died during the call; its tokens are the most that can have been passed on.',
    }),
  },
  closed,
)

/** Dimensions of spending. `total`: all of it. */
export const DIMENSIONS = ['provider', 'model', 'channel', 'member'] as const
/** Dimensions that a call may lack. */
export const PARTIAL = ['agent', 'task', 'swarm'] as const
const REPORTED = [...DIMENSIONS, ...PARTIAL] as const
export type Dimension = (typeof REPORTED)[number]

export function memberOf(dimension: Dimension) {
  if (dimension === 'task') return 'taskId'
  return dimension === 'swarm' ? 'swarmId' : dimension
}

export const sumSchema = Type.Object(
  {
    sumId: Type.String(),
    day: Type.String(),
    dimension: Type.Enum([...REPORTED, 'total']),
    value: Type.String(),
    nanos: count,
    calls: count,
    inputTokens: count,
    outputTokens: count,
  },
  closed,
)

/** Meter of a cap: spent, and held for running calls. */
export const meterSchema = Type.Object(
  {
    meterId: Type.String(),
    /** Dimension and period, and the value, of a meter of one value of a dimension. */
    kind: Type.Optional(Type.String()),
    value: Type.Optional(Type.String()),
    spentNanos: count,
    heldNanos: count,
    /** Cost on record for running calls, of all nodes. */
    runningNanos: Type.Optional(count),
    since: Type.String(),
  },
  closed,
)
export type Meter = Infer<typeof meterSchema>

const name = Type.Optional(Type.String())

/** Facts of a running call that its charge needs if its process dies. */
const pendingSchema = Type.Object(
  {
    provider: Type.String(),
    model: Type.String(),
    tier: Type.String(),
    member: Type.String(),
    channel: Type.String(),
    agent: name,
    taskId: name,
    key: name,
    task: name,
    swarm: name,
    tenantId: name,
    plan: name,
    inputTokens: count,
    outputTokens: count,
    priced: Type.Boolean(),
  },
  closed,
)
export type PendingCall = Infer<typeof pendingSchema>

/** Money of a running call. It is renewed while the call runs; one that expires is of a process that died. */
export const reservationSchema = Type.Object(
  {
    callId: Type.String(),
    /** Meters that the money is held against. */
    meterIds: Type.Array(Type.String()),
    /** Held: the greatest price of the call. */
    nanos: count,
    /** Charged if the process dies. */
    runningNanos: Type.Optional(count),
    pending: Type.Optional(pendingSchema),
    /** Time of the row that was charged for a call whose process seemed dead; the call corrects it if it ends after all. */
    chargedAt: Type.Optional(Type.String()),
    expiresAt: Type.String(),
  },
  closed,
)
export type Held = Infer<typeof reservationSchema>

const orNull = Type.Union([Type.Number(), Type.Null()], { description: 'USD; null: not set.' })
const capOrNull = (period: string) =>
  Type.Union([Type.Number(), Type.Null()], {
    description: `USD; the tightest cap of the ${period} on all spending: of the tenant, its plan and the gateway. null: there is none.`,
  })
const STATES = ['ok', 'downgrade', 'exceeded'] as const
const state = Type.Enum(STATES, {
  description: 'downgrade: calls use a cheaper tier. exceeded: calls are refused.',
})

export const BudgetStatus = Type.Object(
  {
    enabled: Type.Boolean(),
    available: Type.Boolean({ description: 'false: the store did not answer, and the figures are zero.' }),
    monthToDateUsd: usd,
    todayUsd: usd,
    heldUsd: Type.Number({ description: 'USD held for calls in progress, at their maximum price.' }),
    monthlyCapUsd: capOrNull('month'),
    dailyCapUsd: capOrNull('day'),
    downgradeAt: Type.Number({ description: 'Share of a cap from which calls use a cheaper tier.' }),
    monthlyDowngradeUsd: orNull,
    dailyDowngradeUsd: orNull,
    state: Type.Enum(STATES, {
      description: 'Of the caps of all spending. downgrade: calls use a cheaper tier. exceeded: all calls are refused.',
    }),
    reason: Type.Optional(Type.String()),
    worstState: Type.Enum(STATES, {
      description: 'Worst of `state` and the states of all other caps against which something was spent.',
    }),
    monthResetsAt: Type.String(),
    dayResetsAt: Type.String(),
    channels: Type.Optional(
      Type.Array(
        Type.Object(
          {
            channel: Type.String(),
            monthToDateUsd: usd,
            heldUsd: usd,
            monthlyCapUsd: Type.Number(),
            monthlyDowngradeUsd: Type.Number(),
            state,
          },
          closed,
        ),
        { description: 'Channels that have a cap.' },
      ),
    ),
    caps: Type.Optional(
      Type.Array(
        Type.Object({ cap: Type.String(), capUsd: Type.Number(), spentUsd: usd, heldUsd: usd, state, resetsAt: Type.String() }, closed),
        {
          description:
            'Caps of the tenant, its plan, and of keys, agents, tasks, swarms and models, by their names in the settings; of an entry `*` the costliest.',
        },
      ),
    ),
  },
  closed,
)
export type BudgetStatus = Infer<typeof BudgetStatus>

const time = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }))
export const periodFields = {
  from: time('ISO 8601. Default: the start of this month (UTC).'),
  to: time('ISO 8601, exclusive. Default: now.'),
}

const part = (name: string) =>
  Type.Array(Type.Object({ [name]: Type.String(), costUsd: usd, calls: count, inputTokens: count, outputTokens: count }, closed), {
    description: 'The costliest first; everything beyond 200 is summed as `(other)`.',
  })
export const BudgetBreakdown = Type.Object(
  {
    from: Type.String(),
    to: Type.String({ description: 'Exclusive.' }),
    totalUsd: usd,
    calls: count,
    byProvider: part('provider'),
    byModel: part('model'),
    byChannel: part('channel'),
    byMember: part('member'),
    byAgent: part('agent'),
    byTask: part('task'),
    bySwarm: part('swarm'),
  },
  closed,
)
export type BudgetBreakdown = Infer<typeof BudgetBreakdown>

export const recommendation = Type.Enum(['increase', 'decrease', 'keep', 'insufficient_data'])
export const Suggestion = Type.Object(
  {
    cap: Type.String({
      description:
        'Setting: the tightest cap of all spending (monthlyCapUsd, dailyCapUsd, or that of the tenant or plan), channels.<channel>.monthlyCapUsd, or a cap of a key, an agent, a task, a swarm or a model.',
    }),
    currentUsd: orNull,
    suggestedUsd: Type.Union([Type.Number(), Type.Null()], { description: 'USD; null without enough data.' }),
    recommendation,
    rationale: Type.String(),
  },
  closed,
)
export type Suggestion = Infer<typeof Suggestion>
