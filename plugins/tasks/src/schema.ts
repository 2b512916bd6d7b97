import { WORK_TYPES } from '@gateway/plugin-providers/api'
import { closed, type Infer, nonBlankText, repoReference, repoText, Type } from '@gateway/sdk'

/** The longest lease of a claimed task: a week. */
export const MAX_LEASE_SECONDS = 7 * 86_400

export const PRIORITIES = ['P0', 'P1', 'P2', 'P3'] as const
export const STATUSES = ['pending', 'working', 'review', 'done', 'blocked', 'paused', 'dead_letter'] as const
export const PENDING_STAGES = ['ready', 'waiting', 'delayed'] as const
export const STAGES = [...PENDING_STAGES, 'working', 'review', 'done', 'blocked', 'paused', 'dead_letter'] as const
export const SOURCES = ['manual', 'connect-hub', 'auto-detected', 'scheduler', 'chat_channel'] as const
const ROUTED_COMPLEXITIES = ['trivial', 'standard', 'complex'] as const
const EXECUTION_LANES = ['primary', 'agentic-fallback'] as const

/** A task as stored and returned. Times are ISO 8601 in UTC. The fields under `derived` follow from the others. */
export const Task = Type.Object(
  {
    taskId: Type.String(),
    repo: Type.String(),
    title: Type.String(),
    description: Type.Optional(Type.String()),
    priority: Type.Enum(PRIORITIES),
    status: Type.Enum(STATUSES),
    assignedAgent: Type.Optional(Type.String()),
    source: Type.Enum(SOURCES),
    sourceId: Type.Optional(Type.String()),
    notes: Type.Optional(Type.String()),
    dependsOn: Type.Array(Type.String()),
    swarmId: Type.Optional(Type.String()),
    startsAfter: Type.Optional(
      Type.Enum(['review'], {
        description: 'Upstreams of its swarm release it when they reach review already; not set: when they are done.',
      }),
    ),
    prUrl: Type.Optional(Type.String()),
    chatMessageId: Type.Optional(Type.Number()),
    supersededBy: Type.Optional(Type.String()),
    operatorAuthorized: Type.Optional(Type.Boolean()),
    createdAt: Type.String(),
    updatedAt: Type.String(),

    recommendedModel: Type.Optional(Type.String()),
    recommendedModelPreference: Type.Optional(Type.Boolean()),
    routedProfile: Type.Optional(Type.String()),
    routedModel: Type.Optional(Type.String()),
    routedComplexity: Type.Optional(Type.Enum(ROUTED_COMPLEXITIES)),
    executionLane: Type.Optional(Type.Enum(EXECUTION_LANES)),
    executionProvider: Type.Optional(Type.String()),
    workType: Type.Optional(Type.Enum(WORK_TYPES)),
    workTypeTier: Type.Optional(Type.String()),
    workTypeFailoverHop: Type.Optional(Type.Number()),

    claimedBy: Type.Optional(Type.String()),
    claimedByPrincipal: Type.Optional(
      Type.String({ description: 'Principal that made that claim: `key <label>`, `user <id>`, operator.' }),
    ),
    workedBy: Type.Optional(Type.String({ description: 'claimedBy of the latest claim, also after it ended.' })),
    claimedAt: Type.Optional(Type.String()),
    leaseUntil: Type.Optional(Type.String()),
    leasedAt: Type.Optional(Type.String({ description: 'Time at which its lease was given or last extended.' })),
    claimId: Type.Optional(Type.String({ description: 'Names the latest claim; quote it so that a stale worker is refused.' })),
    startedAt: Type.Optional(Type.String()),
    completedAt: Type.Optional(Type.String()),
    outputTokens: Type.Integer({ description: 'Running total.' }),

    retryCount: Type.Integer(),
    nextRetryAt: Type.Optional(Type.String()),
    lastError: Type.Optional(Type.String()),
    pacingDefer: Type.Optional(Type.Boolean()),
    pacingDeferCount: Type.Integer(),
    routeExhausted: Type.Optional(Type.Boolean()),
    routeExhaustedCount: Type.Integer({ description: 'Consecutive defers for want of a route.' }),
    noopDispatch: Type.Optional(Type.Boolean()),
    noopDispatchCount: Type.Integer({ description: 'Consecutive reviews without a change to code.' }),

    // derived
    waitingOn: Type.Integer({ description: 'Number of tasks in dependsOn that are not done.' }),
    dependents: Type.Integer({ description: 'Number of tasks that depend on this one.' }),
    stage: Type.Enum(STAGES, {
      description: 'The status, finer while pending: ready to claim, waiting for dependsOn, delayed until nextRetryAt.',
    }),
    readyFor: Type.Optional(
      Type.String({
        description:
          'Set while ready: * for any claimer, the local model it is pinned to, or `*=` and the hosted model that its agent is asked with; if the task is assigned, followed by ` @` and the agent.',
      }),
    ),
    prKey: Type.Optional(Type.String({ description: 'The pull request of prUrl, the same for all spellings of its page.' })),
    claimNews: Type.Optional(Type.Literal(true, { description: 'Set until its claim is published as an event, within a second.' })),
  },
  closed,
)
export type Task = Infer<typeof Task>

const { claimNews: _mark, prKey: _key, leasedAt: _leasedAt, ...shown } = Task.properties

/** A task as answers show it: a count of 0 and an empty list are omitted. */
export const ShownTask = Type.Object(
  {
    ...shown,
    dependsOn: Type.Optional(shown.dependsOn),
    outputTokens: Type.Optional(shown.outputTokens),
    retryCount: Type.Optional(shown.retryCount),
    pacingDeferCount: Type.Optional(shown.pacingDeferCount),
    routeExhaustedCount: Type.Optional(shown.routeExhaustedCount),
    noopDispatchCount: Type.Optional(shown.noopDispatchCount),
    waitingOn: Type.Optional(shown.waitingOn),
    dependents: Type.Optional(shown.dependents),
  },
  closed,
)
export type ShownTask = Infer<typeof ShownTask>

export type Status = Task['status']

export const Move = Type.Object(
  {
    at: Type.String(),
    from: Type.Enum(STATUSES),
    to: Type.Enum(STATUSES),
    claimedBy: Type.Optional(Type.String({ description: 'Worker that had it until then.' })),
    claimedByPrincipal: Type.Optional(Type.String()),
    claimedAt: Type.Optional(Type.String()),
    error: Type.Optional(Type.String({ description: 'First 500 characters of the error.' })),
  },
  closed,
)
export type Move = Infer<typeof Move>

const text = (maxLength: number, options: object = {}) => Type.String({ maxLength, ...options })

export const taskId = nonBlankText(100, { description: 'Prefix task-.' })
export const repo = repoText(200)
const repoOrEmpty = { ...repoReference, matches: `^$|${repoReference.matches}` }
export const priority = Type.Enum(PRIORITIES)
export const status = Type.Enum(STATUSES)
export const claimant = nonBlankText(200, { description: 'Stable name of the worker. Default: the label of your key.' })
export const claimId = nonBlankText(100, {
  description: 'claimId of tasks_claim; refused if the task was claimed again since.',
})
export const assignedAgent = text(200)
export const assignedAgents = Type.Array(assignedAgent, { maxItems: 100, description: 'Only tasks of these agents or of none.' })
export const unassigned = Type.Boolean({ description: 'false: skip tasks without an agent.' })
export const leaseSeconds = { minimum: 1, maximum: MAX_LEASE_SECONDS } as const
export const errorText = text(20_000, { description: 'The error; kept as lastError and in notes.' })
export const reason = text(2_000, { description: 'Why, for later readers.' })
export const MAX_DESCRIPTION_LENGTH = 100_000
export const MAX_NOTES_LENGTH = 50_000
const notes = text(MAX_NOTES_LENGTH)
const dependsOn = (description: string) => Type.Array(nonBlankText(100), { maxItems: 200, description })

export const createInput = Type.Object(
  {
    repo,
    title: nonBlankText(500),
    description: Type.Optional(text(MAX_DESCRIPTION_LENGTH)),
    priority: Type.Optional(Type.Enum(PRIORITIES, { default: 'P2', description: 'P0 is highest.' })),
    assignedAgent: Type.Optional(assignedAgent),
    recommendedModel: Type.Optional(text(200, { description: '`local/<name>` or `local:<name>` is a local model.' })),
    recommendedModelPreference: Type.Optional(
      Type.Boolean({
        description: 'true: a preference; runner policy may use a free local tier instead. Otherwise a pin.',
      }),
    ),
    source: Type.Optional(Type.Enum(SOURCES, { default: 'manual' })),
    sourceId: Type.Optional(text(500)),
    notes: Type.Optional(notes),
    dependsOn: Type.Optional(dependsOn('Existing tasks that must be done first.')),
  },
  closed,
)
export type CreateArguments = Infer<typeof createInput>

export const updateInput = Type.Object(
  {
    taskId,
    repo: Type.Optional(text(200, { rule: repoOrEmpty, description: 'Moves the task; empty is ignored.' })),
    status: Type.Optional(status),
    priority: Type.Optional(priority),
    assignedAgent: Type.Optional(assignedAgent),
    recommendedModel: Type.Optional(text(200)),
    recommendedModelPreference: Type.Optional(Type.Boolean({ description: 'true: a preference; false: a pin.' })),
    prUrl: Type.Optional(text(2_000)),
    notes: Type.Optional(notes),
    chatMessageId: Type.Optional(Type.Number({ description: 'Chat message.' })),
    routedProfile: Type.Optional(text(200)),
    routedModel: Type.Optional(text(200)),
    routedComplexity: Type.Optional(Type.Enum(ROUTED_COMPLEXITIES)),
    executionLane: Type.Optional(Type.Enum(EXECUTION_LANES)),
    executionProvider: Type.Optional(text(200)),
    workType: Type.Optional(Type.Enum(WORK_TYPES)),
    workTypeTier: Type.Optional(text(200)),
    workTypeFailoverHop: Type.Optional(Type.Number({ description: 'Providers tried before.' })),
    supersededBy: Type.Optional(nonBlankText(100, { description: 'Task that replaces this one; authorizes mass blocking.' })),
    operatorAuthorized: Type.Optional(Type.Boolean({ description: 'A person authorizes mass blocking; refused from automation.' })),
    routeExhausted: Type.Optional(Type.Boolean({ description: 'With pending: no route was free. Repeats raise an alert.' })),
    noopDispatch: Type.Optional(Type.Boolean({ description: 'With review: only docs or state changed. Repeats are logged.' })),
    pacingDefer: Type.Optional(Type.Boolean({ description: 'With pending: gives the task back for pacing.' })),
    deferSeconds: Type.Optional(Type.Number({ description: 'With pending: not claimable for this time, clamped to 0..21600.' })),
    dependsOn: Type.Optional(dependsOn('Replaces the list; [] clears it.')),
    // Bounded, so that the total stays an exact integer.
    outputTokens: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Added to the running total.' })),
    claimId: Type.Optional(claimId),
    leaseSeconds: Type.Optional(Type.Integer({ ...leaseSeconds, description: 'With claimId: new lease from now.' })),
  },
  closed,
)
export type UpdateArguments = Infer<typeof updateInput>
