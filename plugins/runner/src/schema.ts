import { closed, type Infer, Type } from '@gateway/sdk'

export const LANES = ['primary', 'agentic-fallback'] as const
export const ADAPTERS = ['claude', 'codex', 'gemini', 'shell', 'scripted'] as const
const DELIVERIES = ['branch', 'push', 'pr', 'none'] as const

const text = (options: object = {}) => Type.String({ minLength: 1, maxLength: 4_000, ...options })
const minutes = (options: object = {}) => Type.Number({ exclusiveMinimum: 0, maximum: 7 * 24 * 60, ...options })

export const Agent = Type.Object(
  {
    adapter: Type.Enum(ADAPTERS),
    command: Type.Optional(text({ description: 'shell: the command. Other adapters: path of the program.' })),
    model: Type.Optional(text()),
    args: Type.Optional(Type.Array(text(), { maxItems: 100, description: 'Additional arguments of the program.' })),
    env: Type.Optional(
      Type.Array(text(), { maxItems: 100, description: 'Names of environment variables that the agent may see in addition.' }),
    ),
    provider: Type.Optional(text({ description: 'Name of the provider in reports.' })),
  },
  closed,
)
export type Agent = Infer<typeof Agent>

const Lane = Type.Object(
  {
    slots: Type.Optional(Type.Integer({ minimum: 1, maximum: 64, description: 'Number of tasks worked on concurrently.' })),
    agents: Type.Optional(
      Type.Record(Type.String(), text(), {
        description:
          'Agent by assignedAgent of the task. `*` is for every other task; without it only tasks of the named agents are taken.',
      }),
    ),
    account: Type.Optional(text({ maxLength: 200 })),
    fleetSlots: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Runner sessions of the whole fleet.' })),
  },
  closed,
)

const Merge = Type.Object(
  {
    status: Type.Optional(
      Type.Enum(['done', 'review'], { description: 'Tasks whose branches are merged: accepted ones, or those in review.' }),
    ),
    everySeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400, description: 'Time between two passes.' })),
    deleteBranches: Type.Optional(Type.Boolean({ description: 'Deletes branches at the remote, a pass after they were merged.' })),
  },
  closed,
)

const Repo = Type.Object(
  {
    path: Type.Optional(text({ description: 'Folder of the clone. Default: a folder of the repo’s name beside runner.json.' })),
    base: Type.Optional(text({ maxLength: 250, description: 'Branch that work starts from. Default: the current one of the clone.' })),
    remote: Type.Optional(text({ maxLength: 250, pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]*$' })),
    setup: Type.Optional(text()),
    check: Type.Optional(text()),
    deliver: Type.Optional(Type.Enum(DELIVERIES)),
    pullRequest: Type.Optional(
      text({ description: 'Command that opens the pull request, or finds the open one of the branch, and prints its URL last.' }),
    ),
    finish: Type.Optional(Type.Enum(['review', 'done'], { description: 'Status of a task after its work is delivered.' })),
  },
  closed,
)

const Limits = Type.Object(
  {
    minutes: Type.Optional(minutes({ description: 'Time limit of the agent.' })),
    setupMinutes: Type.Optional(minutes()),
    checkMinutes: Type.Optional(minutes()),
    turns: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    usd: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 100_000 })),
    logLines: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100_000, description: 'Lines of output that are sent to the gateway for each run.' }),
    ),
  },
  closed,
)

/** runner.json as written; everything is optional. */
export const RunnerFile = Type.Object(
  {
    machine: Type.Optional(text({ maxLength: 100, pattern: '^[^\\s,/]+$' })),
    stateDir: Type.Optional(text()),
    lanes: Type.Optional(Type.Partial(Type.Object({ primary: Lane, 'agentic-fallback': Lane, merge: Merge }, closed))),
    agents: Type.Optional(Type.Record(Type.String(), Agent)),
    repos: Type.Optional(Type.Record(Type.String(), Repo)),
    limits: Type.Optional(Limits),
    env: Type.Optional(Type.Array(text(), { maxItems: 100 })),
    sandbox: Type.Optional(Type.Array(text(), { maxItems: 200, description: 'Command in front of every agent, setup and check.' })),
    rescueDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3_650,
        description: 'Days after which a branch `rescue/…` is removed when its task is done, counted from the time at which it was kept.',
      }),
    ),
    leaseSeconds: Type.Optional(Type.Integer({ minimum: 10, maximum: 86_400 })),
    idleSeconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 86_400, description: 'Exits after this long without a task. 0: never.' }),
    ),
    localModels: Type.Optional(Type.Array(text({ maxLength: 200 }), { maxItems: 1_000 })),
  },
  closed,
)
export type RunnerFile = Infer<typeof RunnerFile>

export type LaneName = (typeof LANES)[number]
export type Delivery = (typeof DELIVERIES)[number]

export interface LaneConfig {
  readonly name: LaneName
  readonly slots: number
  readonly agents: Readonly<Record<string, string>>
  readonly account: string | undefined
  readonly fleetSlots: number
}

export interface MergeConfig {
  readonly status: 'done' | 'review'
  readonly everySeconds: number
  readonly deleteBranches: boolean
}

export interface RepoConfig {
  readonly name: string
  readonly path: string
  readonly base: string | undefined
  readonly remote: string
  readonly setup: string | undefined
  readonly check: string | undefined
  readonly deliver: Delivery
  readonly pullRequest: string | undefined
  readonly finish: 'review' | 'done'
}

/** runner.json with its defaults. */
export interface RunnerConfig {
  readonly machine: string
  readonly stateDir: string
  readonly lanes: readonly LaneConfig[]
  /** Absent if this runner merges nothing. */
  readonly merge: MergeConfig | undefined
  readonly agents: Readonly<Record<string, Agent>>
  readonly repos: Readonly<Record<string, RepoConfig>>
  readonly limits: {
    readonly minutes: number
    readonly setupMinutes: number
    readonly checkMinutes: number
    readonly turns: number
    readonly usd: number | undefined
    readonly logLines: number
  }
  readonly env: readonly string[]
  readonly sandbox: readonly string[]
  readonly rescueDays: number
  readonly leaseSeconds: number
  readonly idleSeconds: number
  readonly localModels: readonly string[] | undefined
}

export interface Task {
  readonly taskId: string
  readonly repo: string
  readonly title: string
  readonly description?: string
  notes?: string
  readonly status: string
  readonly assignedAgent?: string
  readonly recommendedModel?: string
  readonly recommendedModelPreference?: boolean
  readonly swarmId?: string
  readonly dependsOn?: readonly string[]
  readonly claimId?: string
  readonly updatedAt?: string
  readonly pacingDeferCount?: number
  prUrl?: string
}
