import { defineContribution, defineService, type Transaction } from '@gateway/sdk'
import type { CreateArguments, Task } from './schema.ts'

export { type CreateArguments as TaskDraft, createInput as taskDraft, type Task } from './schema.ts'

/** The queue, for families that put tasks into it as part of a change of their own. */
export interface TaskQueue {
  /** A new task, together with the other changes of `tx`. Nothing checks the draft against `taskDraft`: its limits are the caller’s to keep. */
  enqueue(draft: CreateArguments, tx: Transaction): Promise<Task>
  /** `undefined` also while the task is in the trash. */
  get(taskId: string, tx: Transaction): Promise<Task | undefined>
}
export const taskQueue = defineService<TaskQueue>('tasks.queue')

/** How many of a repo’s tasks are in a stage that somebody must end. */
export interface Stuck {
  readonly repo: string
  readonly stage: 'blocked' | 'dead_letter'
  readonly count: number
}
/** Figures of the queue, for families that show how things stand. Their price does not grow with the queue. */
export interface TaskFigures {
  /** Tasks per status; each count stops at `countsStopAt`. */
  byStatus(): Promise<{ readonly counts: Readonly<Record<Task['status'], number>>; readonly countsStopAt: number }>
  /** By repo; `undefined` when there are more of them than can be told apart at a bounded price. */
  stuck(): Promise<readonly Stuck[] | undefined>
}
export const taskFigures = defineService<TaskFigures>('tasks.figures')

/** Whether tasks may be claimed now. `reason` is what the claimer reads; `until` (ISO 8601) is when it ends by itself. */
export type GateState = { readonly open: true } | { readonly open: false; readonly reason: string; readonly until?: string }

/** Asked before each claim and each look at the next task. All gates must be open. On the hot path: keep it to one read. */
export interface ClaimGate {
  check(): Promise<GateState>
}
export const claimGate = defineContribution<ClaimGate>('tasks.claim-gate')

/** One change by tasks_update, tasks_bulk, tasks_fail or the reaping of a lease. Claims, creation and removal are none. */
export interface TaskChanged {
  readonly before: Task
  readonly after: Task
  /** What this change added to `outputTokens`. */
  readonly outputTokensDelta: number
}

/** Takes part in the transaction of every change of a task: its writes are committed with the change, or neither is. */
export interface TaskChange {
  apply(change: TaskChanged, tx: Transaction): Promise<void>
}
export const taskChange = defineContribution<TaskChange>('tasks.change')
