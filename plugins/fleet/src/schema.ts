import { closed, type Infer, nonBlankText, repoText, Type } from '@gateway/sdk'

/** Times are ISO 8601 in UTC, by the store's clock. */
export const Maintenance = Type.Object(
  {
    active: Type.Boolean({ description: 'Task claims are paused.' }),
    scope: Type.Optional(Type.Enum(['fleet', 'tenant'], { description: 'fleet: paused in every tenant.' })),
    reason: Type.Optional(Type.String()),
    operator: Type.Optional(Type.String()),
    operatorPrincipal: Type.Optional(Type.String({ description: 'Principal that entered it: `key <label>`, `user <id>`, operator.' })),
    enteredAt: Type.Optional(Type.String()),
    resumeAt: Type.Optional(Type.String({ description: 'Time at which claims resume; absent: not before fleet_maintenance_exit.' })),
  },
  closed,
)
export type Maintenance = Infer<typeof Maintenance>

const ACTIONS = ['ship', 'fix', 'merge', 'test', 'wrap-up', 'skip'] as const
export const ACTION_STATUSES = ['pending', 'in-progress', 'done', 'failed', 'skipped'] as const
export const OUTCOMES = ['completed', 'aborted'] as const

export const repo = repoText(200)
/** Members of a repo that may be set at the start of a run, and later. */
export const progressFields = {
  decision: Type.Optional(Type.String({ maxLength: 2_000 })),
  action: Type.Optional(Type.Enum(ACTIONS)),
  actionStatus: Type.Optional(Type.Enum(ACTION_STATUSES)),
  detail: Type.Optional(Type.String({ maxLength: 4_000 })),
  prUrl: Type.Optional(Type.String({ maxLength: 2_000 })),
  recommendation: Type.Optional(Type.String({ maxLength: 4_000 })),
}
/** A repo as a run begins with it: further members, such as the overnight state, are kept as they come. */
export const StartingRepo = Type.Object({ repo, ...progressFields }, { additionalProperties: true })
export type StartingRepo = Infer<typeof StartingRepo>

export const RepoProgress = Type.Object(
  { repo, ...progressFields, actionStatus: Type.Enum(ACTION_STATUSES), updatedAt: Type.String() },
  { additionalProperties: true },
)

export const runFields = {
  runId: Type.String(),
  type: Type.String(),
  machine: Type.Optional(Type.String()),
  agent: Type.Optional(Type.String()),
  status: Type.Enum(['running', ...OUTCOMES]),
  startedAt: Type.String(),
  updatedAt: Type.String(),
  finishedAt: Type.Optional(Type.String()),
}
export const FleetRun = Type.Object({ ...runFields, repos: Type.Array(RepoProgress) }, closed)
export const written = Type.Object({ run: FleetRun }, closed)

export const runId = nonBlankText(100, { description: 'Id of the run.' })
export const runType = nonBlankText(100, { default: 'morning-resume-all' })
export const machine = nonBlankText(200)
export const agent = nonBlankText(200)
