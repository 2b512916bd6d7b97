import { defineContribution, type Transaction } from '@gateway/sdk'
import type { Task } from './schema.ts'

export type { Task } from './schema.ts'

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
