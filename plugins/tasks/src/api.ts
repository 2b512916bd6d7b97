import { defineContribution, defineService, type Transaction } from '@gateway/sdk'
import type { CreateArguments, Task } from './schema.ts'

export {
  type CreateArguments as TaskDraft,
  claimant,
  createInput as taskDraft,
  MAX_DESCRIPTION_LENGTH,
  MAX_NOTES_LENGTH,
  Task,
  taskId,
} from './schema.ts'

/** A task to be enqueued; a child of a swarm may begin paused. */
export type QueueDraft = CreateArguments & { readonly swarmId?: string; readonly status?: 'paused' }

/** Who takes a task, and for how long. */
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

/** The children of swarms; each move is a change as by tasks_update, and answers with the tasks it has moved. */
export interface SwarmTasks {
  /** Pending and working children become paused: nobody can claim them, and a worker’s `claimId` still holds. */
  pause(swarmId: string): Promise<readonly Task[]>
  /** Paused children become pending. */
  resume(swarmId: string): Promise<readonly Task[]>
}

/** The queue, for families that put tasks into it as part of a change of their own. A contributor to `taskChange` or `claimGate` must not use it. */
export interface TaskQueue {
  /** A new task, together with the other changes of `tx`. Nothing checks the draft against `taskDraft`: its limits are the caller’s to keep. */
  enqueue(draft: QueueDraft, tx: Transaction): Promise<Task>
  /** The same for a task that is claimed from the start. It asks no gate: look at `closed` first. */
  enqueueClaimed(draft: CreateArguments, taking: Taking, tx: Transaction): Promise<Task>
  /** `undefined` also while the task is in the trash. */
  get(taskId: string, tx?: Transaction): Promise<Task | undefined>
  /** The children of a swarm in the order of their creation, without those in the trash. */
  children(swarmId: string, tx?: Transaction): Promise<readonly Task[]>
  swarms(tx: Transaction): SwarmTasks
  /** What is claimable now, first the one that would be claimed first. */
  ready(query: ReadyQuery): Promise<readonly Task[]>
  /** Why nothing may be claimed now, or `undefined`: what `tasks_claim` answers while a gate is closed. */
  closed(): Promise<string | undefined>
}
export const taskQueue = defineService<TaskQueue>('tasks.queue')

/** How many of a repo’s tasks are in a stage that somebody must end. */
export interface Stuck {
  readonly repo: string
  readonly stage: 'blocked' | 'dead_letter'
  readonly count: number
}
/** How many tasks of a repo are not done. */
export interface OpenTasks {
  readonly repo: string
  readonly open: number
  /** The part of them that somebody must end: blocked or dead-lettered. */
  readonly stuck: number
}
/** Figures of the queue, for families that show how things stand. Their price does not grow with the queue. */
export interface TaskFigures {
  /** Tasks per status; each count stops at `countsStopAt`. */
  byStatus(): Promise<{ readonly counts: Readonly<Record<Task['status'], number>>; readonly countsStopAt: number }>
  /** By repo; `undefined` when there are more of them than can be told apart at a bounded price. */
  stuck(): Promise<readonly Stuck[] | undefined>
  /** Every repo with tasks that are not done; `undefined` when there are more of these than can be grouped at a bounded price. */
  openByRepo(): Promise<readonly OpenTasks[] | undefined>
  /** Tasks of a repo that are not done, and those of them that somebody must end; each count stops at 1,000. */
  open(repo: string): Promise<{ readonly open: number; readonly stuck: number }>
  /** Tasks that were completed since a time (ISO 8601) and are done: the latest 500 of them, newest first, and how many, counted up to 10,000. */
  completedSince(since: string): Promise<{ readonly tasks: readonly Task[]; readonly count: number }>
}
export const taskFigures = defineService<TaskFigures>('tasks.figures')

/** Whether tasks may be claimed now. `reason` is what the claimer reads; `until` (ISO 8601) is when it ends by itself. */
export type GateState = { readonly open: true } | { readonly open: false; readonly reason: string; readonly until?: string }

/** Asked before each claim and each look at the next task. All gates must be open. On the hot path: keep it to one read. */
export interface ClaimGate {
  check(): Promise<GateState>
}
export const claimGate = defineContribution<ClaimGate>('tasks.claim-gate')

/**
 * One change by tasks_update, tasks_bulk, tasks_fail or the reaping of a lease, or a task’s return from the trash, with
 * `before` as it went there. Claims, creation and removal are none.
 */
export interface TaskChanged {
  readonly before: Task
  readonly after: Task
  /** What this change added to `outputTokens`. */
  readonly outputTokensDelta: number
}

/** Takes part in the transaction of every change of a task: its writes are committed with the change, or neither is. */
export interface TaskChange {
  /** A move by `swarms` is itself such a change, and is told of before it returns. */
  apply(change: TaskChanged, tx: Transaction, swarms: SwarmTasks): Promise<void>
}
export const taskChange = defineContribution<TaskChange>('tasks.change')
