import { closed, defineContribution, defineEvent, defineService, type Transaction, Type } from '@gateway/sdk'
import { type CreateArguments, STATUSES, type Task } from './schema.ts'

export {
  type CreateArguments as TaskDraft,
  claimant,
  claimId,
  createInput as taskDraft,
  MAX_DESCRIPTION_LENGTH,
  MAX_NOTES_LENGTH,
  Task,
  taskId,
} from './schema.ts'

/** A task to enqueue; a child of a swarm may begin paused. */
export type QueueDraft = CreateArguments & {
  readonly swarmId?: string
  readonly status?: 'paused'
  /** Upstreams of the same swarm release it when they reach review. Default: when they are done. */
  readonly startsAfter?: 'review'
}

export interface Taking {
  readonly claimedBy: string
  readonly leaseSeconds: number
}

export interface ReadyQuery {
  readonly repo?: string
  readonly assignedAgent?: string
  /** 1 to 10,000. */
  readonly limit: number
}

/** The children of swarms; each move is a change as by tasks_update, and returns the moved tasks. */
export interface SwarmTasks {
  /** Pauses pending and working children: nobody can claim them, and a worker's `claimId` stays valid. */
  pause(swarmId: string): Promise<readonly Task[]>
  /** Makes paused children pending. */
  resume(swarmId: string): Promise<readonly Task[]>
  /** The children in order of creation, without those in the trash; nothing moves. */
  children(swarmId: string): Promise<readonly Task[]>
}

/** Changes of tasks for families that take part in a change. Each is itself a change as by tasks_update. */
export interface TaskMoves extends SwarmTasks {
  /** Makes a task done that is in review. `undefined` if it is in another status. */
  accept(taskId: string): Promise<Task | undefined>
}

/**
 * The queue, for families that add tasks as part of their own change. A contributor to `taskChange` or `claimGate` must not use
 * it.
 */
export interface TaskQueue {
  /**
   * Creates a task together with the other changes of `tx`. The draft is not checked against `taskDraft`: the caller must keep
   * its limits. A folder or a git remote as its repo is stored as the name of the repo.
   */
  enqueue(draft: QueueDraft, tx: Transaction): Promise<Task>
  /** Creates a task that is claimed from the start. It asks no gate, so check `closed` first. */
  enqueueClaimed(draft: CreateArguments, taking: Taking, tx: Transaction): Promise<Task>
  /** `undefined` also while the task is in the trash. */
  get(taskId: string, tx?: Transaction): Promise<Task | undefined>
  /** Tasks of up to 1,000 ids that are not in the trash, by one read. */
  getMany(taskIds: readonly string[]): Promise<readonly Task[]>
  /** The children of a swarm in order of creation, without those in the trash. */
  children(swarmId: string, tx?: Transaction): Promise<readonly Task[]>
  swarms(tx: Transaction): SwarmTasks
  /** Claimable tasks, in the order in which they would be claimed. */
  ready(query: ReadyQuery): Promise<readonly Task[]>
  /** Number of claimable tasks, of all or without those that are reserved; counting stops at 10,000. */
  countReady(reserved?: readonly ReservedAgents[]): Promise<number>
  /** Claimable tasks that are reserved, in the order in which they would be claimed. `limit`: 1 to 10,000. */
  readyReserved(reserved: readonly ReservedAgents[], limit: number): Promise<readonly Task[]>
  /**
   * First claimable task of each part of the queue, which is one repo and one audience, if it became ready before a time (ISO 8601) and no
   * worker holds a task of its repo for its agent. The first 200 parts are looked at.
   */
  unattended(before: string): Promise<readonly Task[]>
  /**
   * Name of the repo that a folder or a git remote means, under which its tasks are stored; a name stays as it is. Ask it before a repo is
   * compared, stored or searched for, and say when something is stored under it.
   */
  repoName(text: string, purpose?: { readonly stores: boolean }): Promise<string>
  /** Reason why nothing may be claimed now, or `undefined`: the answer of `tasks_claim` while a gate is closed. */
  closed(): Promise<string | undefined>
}
export const taskQueue = defineService<TaskQueue>('tasks.queue')

/** Number of a repo's tasks in a stage that somebody must end. */
export interface Stuck {
  readonly repo: string
  readonly stage: 'blocked' | 'dead_letter'
  readonly count: number
}
/** Number of tasks of a repo that are not done. */
export interface OpenTasks {
  readonly repo: string
  readonly open: number
  /** The part of them that somebody must end: blocked or dead-lettered. */
  readonly stuck: number
}
/** Figures of the queue, for families that show its state. Their cost does not grow with the queue. */
export interface TaskFigures {
  /** Tasks per status; each count stops at `countsStopAt`. */
  byStatus(): Promise<{ readonly counts: Readonly<Record<Task['status'], number>>; readonly countsStopAt: number }>
  /** The counts by repo; `undefined` if there are more repos than can be counted at a bounded cost. */
  stuck(): Promise<readonly Stuck[] | undefined>
  /** Every repo with tasks that are not done; `undefined` when there are more of these than can be grouped at a bounded price. */
  openByRepo(): Promise<readonly OpenTasks[] | undefined>
  /** Number of a repo's tasks that are not done, and of those that somebody must end; each count stops at 1,000. */
  open(repo: string): Promise<{ readonly open: number; readonly stuck: number }>
  /**
   * Tasks completed since a time (ISO 8601) that are done: the latest 500 of them, newest first, and their number, counted up to
   * 10,000.
   */
  completedSince(since: string): Promise<{ readonly tasks: readonly Task[]; readonly count: number }>
}
export const taskFigures = defineService<TaskFigures>('tasks.figures')

/** Permission to claim tasks. `reason` is shown to the claimer; `until` (ISO 8601) is the time when it ends by itself. */
export type GateState = { readonly open: true } | { readonly open: false; readonly reason: string; readonly until?: string }

/** Asked before each claim and each look at the next task. All gates must be open. It is on the hot path: keep it to one read. */
export interface ClaimGate {
  check(): Promise<GateState>
}
export const claimGate = defineContribution<ClaimGate>('tasks.claim-gate')

/** Agents whose tasks a part of the gateway does itself, so that runners leave them. Asked on each claim of a runner. */
export interface ReservedAgents {
  names(): Promise<readonly string[]>
  /** True if these agents may be asked with the model; a task that is pinned to another one is left to runners. */
  serves(model: string): boolean
}
export const reservedAgents = defineContribution<ReservedAgents>('tasks.reserved-agents')

/** For contributors to `claimGate`, whose opening no event of a task tells. */
export interface TaskGates {
  /**
   * Makes calls that wait for a task look again, because a gate has opened or opens at another time: those of the caller's tenant, or
   * of every tenant if the caller is the operator or the gateway.
   */
  changed(): void
}
export const taskGates = defineService<TaskGates>('tasks.gates')

/**
 * Called when a task was claimed, or moved to the trash, so that it cannot be claimed by anyone else. It is awaited and on the
 * hot path, so keep it to one read for tasks that do not concern you. An error is logged, and changes nothing.
 */
export interface TaskTaken {
  taken(taskId: string): Promise<void>
}
export const taskTaken = defineContribution<TaskTaken>('tasks.taken')

/**
 * A change by tasks_update, tasks_bulk, tasks_fail or an expired lease, or a task's return from the trash, with `before` as it
 * went there, or a claimable task that waits for an upstream again. Claims, creation and removal do not count.
 */
export interface TaskChanged {
  readonly before: Task
  readonly after: Task
  /** Amount that this change added to `outputTokens`. */
  readonly outputTokensDelta: number
}

/** Takes part in the transaction of every change of a task: its writes are committed with the change, or neither is. */
export interface TaskChange {
  /** A move by `moves` is itself such a change, and is reported before it returns. */
  apply(change: TaskChanged, tx: Transaction, moves: TaskMoves): Promise<void>
}
export const taskChange = defineContribution<TaskChange>('tasks.change')

/** Emitted when a check of a task's pull request has failed. `worker` is the latest claimer, else the assigned agent. */
export const checkFailed = defineEvent(
  'tasks.check-failed',
  Type.Object(
    {
      taskId: Type.String(),
      repo: Type.String(),
      title: Type.String(),
      worker: Type.Optional(Type.String()),
      prUrl: Type.Optional(Type.String()),
      check: Type.String(),
      commit: Type.String(),
      summary: Type.Optional(Type.String()),
      url: Type.Optional(Type.String()),
      at: Type.String(),
    },
    closed,
  ),
  { public: 'A check of the pull request of a task has failed.' },
)
/**
 * Emitted when the pull request of a task was reviewed or commented on. `status` is the one that the task has after it; `worker` is the
 * latest claimer, else the assigned agent.
 */
export const taskReviewed = defineEvent(
  'tasks.reviewed',
  Type.Object(
    {
      taskId: Type.String(),
      repo: Type.String(),
      title: Type.String(),
      status: Type.Enum(STATUSES),
      changesRequested: Type.Boolean(),
      worker: Type.Optional(Type.String()),
      by: Type.Optional(Type.String()),
      prUrl: Type.Optional(Type.String()),
      text: Type.Optional(Type.String()),
      place: Type.Optional(Type.String()),
      url: Type.Optional(Type.String()),
      at: Type.String(),
    },
    closed,
  ),
  { public: 'The pull request of a task was reviewed, or commented on.' },
)
/** Says which repo a folder or a git remote is, so that clones share one queue. Contributed by the family that keeps repos. */
export interface RepoNames {
  /** Returns `undefined` for a text that is neither. May throw NOT_FOUND. */
  nameOf(text: string, purpose: { readonly stores: boolean }): Promise<string | undefined>
}
export const repoNames = defineContribution<RepoNames>('tasks.repo-names')

/** A step of the work on a task, as it was observed. */
export interface TaskStep {
  readonly at: string
  /** Session that took it. */
  readonly by: string
  /** The tool, the line it was about, and that it failed. */
  readonly text: string
}
/** Steps of sessions that work on a task: part of its history. */
export interface TaskSteps {
  /** The newest first. */
  of(taskId: string, limit: number): Promise<readonly TaskStep[]>
}
export const taskSteps = defineContribution<TaskSteps>('tasks.steps')
