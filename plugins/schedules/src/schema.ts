import { closed, type Infer, nonBlankText, repoText, Type } from '@gateway/sdk'

export const KINDS = ['agent', 'skill', 'tool'] as const
export const STATUSES = ['never', 'success', 'error'] as const
const ROLES = ['viewer', 'member', 'admin', 'owner', 'system', 'operator'] as const

/** A schedule as it is stored and answered. Times are ISO 8601 in UTC. */
export const Schedule = Type.Object(
  {
    scheduleId: Type.String(),
    name: Type.String(),
    cronExpr: Type.String(),
    kind: Type.Enum(KINDS),
    target: Type.String(),
    message: Type.Optional(Type.String()),
    repo: Type.Optional(Type.String()),
    includeMemoryContext: Type.Boolean(),
    enabled: Type.Boolean(),
    deliverTo: Type.Optional(Type.String({ description: 'Notification channel or mail address that receives the result of each run.' })),
    nextRun: Type.String({ description: 'Time when it is due; while disabled, when it would have been.' }),
    lastRun: Type.Optional(Type.String({ description: 'Start of the last run that has ended.' })),
    lastStatus: Type.Enum(STATUSES),
    lastError: Type.Optional(Type.String({ description: 'Error of the last run.' })),
    actsAs: Type.Object(
      {
        id: Type.String(),
        role: Type.Enum(ROLES),
        label: Type.Optional(Type.String({ description: 'Label of its API key, which pays for the model calls.' })),
      },
      { ...closed, description: 'Principal responsible for it: its runs are authorized and audited as this principal.' },
    ),
    disabledAt: Type.Optional(
      Type.String({
        description: 'When the gateway disabled it, because its key ended or its member was removed, until someone decides on it.',
      }),
    ),
    createdAt: Type.String(),
    updatedAt: Type.String(),

    // while a run is under way
    runId: Type.Optional(Type.String()),
    runStartedAt: Type.Optional(Type.String()),
    runNode: Type.Optional(Type.String({ description: 'Gateway process that carries out the run.' })),
    runLeaseUntil: Type.Optional(Type.String({ description: 'A run that is still running then counts as lost.' })),
  },
  closed,
)
export type Schedule = Infer<typeof Schedule>

export const scheduleId = nonBlankText(100, { description: 'Id of the schedule (schedule-…).' })
export const name = nonBlankText(200)
export const cronExpr = nonBlankText(200, { description: 'Five fields, in UTC: minute hour day-of-month month day-of-week.' })
export const kind = Type.Enum(KINDS)
export const target = nonBlankText(200, { description: 'Name of the agent, skill or tool.' })
export const message = Type.String({
  maxLength: 100_000,
  description: 'For an agent or a skill: the prompt. For a tool: its arguments, a JSON object.',
})
export const repo = repoText(200, { description: 'For an agent: the repo it works on.' })

export const deliverTo = nonBlankText(200, {
  description:
    'Receiver of each result: a notification channel, else a mail address. Answers of agents and skills go to operator by default.',
})

/** Members that a schedule can do without. */
export const CLEARABLE = ['message', 'repo', 'deliverTo'] as const
export type Clearable = (typeof CLEARABLE)[number]

/** Runs that are kept of each schedule; the oldest is dropped when there are more. */
export const MAX_RUNS = 100
/** Longest result that is kept, in characters: all runs of a schedule fit into one answer. */
export const MAX_RESULT = 20_000

const run = {
  runId: Type.String(),
  startedAt: Type.String(),
  endedAt: Type.String(),
  status: Type.Enum(['success', 'error']),
  result: Type.Optional(
    Type.String({ description: `Answer of the agent or skill, else the result as JSON; at most ${MAX_RESULT} characters.` }),
  ),
  error: Type.Optional(Type.String({ description: 'Reason it failed.' })),
  traceId: Type.Optional(Type.String({ description: 'Trace with the spans of the run.' })),
  costUsd: Type.Optional(Type.Number({ description: 'Cost of its model calls.' })),
  undelivered: Type.Optional(Type.String({ description: 'Reason its result did not reach the channel of the schedule.' })),
}
export const Run = Type.Object(run, closed)
export type Run = Infer<typeof Run>
export const StoredRun = Type.Object({ scheduleId: Type.String(), ...run }, closed)
export type StoredRun = Infer<typeof StoredRun>

export const Delivery = Type.Object(
  {
    runId: Type.String(),
    to: Type.String({ description: 'Name of the channel.' }),
    title: Type.String(),
    text: Type.String(),
    failed: Type.Boolean(),
    attempts: Type.Integer(),
    dueAt: Type.String({
      description: 'When it is delivered again: its channel may take it then, or the process that has it must have stopped.',
    }),
  },
  closed,
)
export type Delivery = Infer<typeof Delivery>

export const written = Type.Object(
  { schedule: Schedule, nextRuns: Type.Array(Type.String(), { description: 'Next three times it fires.' }) },
  closed,
)
