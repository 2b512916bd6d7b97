import { MINUTE_MS } from '@gateway/sdk'

/** The states of tasks as plain code: the family must agree with it, whatever happens in whatever order. */
export interface ModelTask {
  readonly taskId: string
  readonly priority: string
  readonly createdAt: number
  status: string
  dependsOn: string[]
  retryCount: number
  nextRetryAt?: number
  leaseUntil?: number
  claimId?: string
  started: boolean
  completedAt?: number
  pacingDeferCount: number
}

export const MAX_RETRIES = 3

export class Model {
  readonly active = new Map<string, ModelTask>()
  readonly trash = new Map<string, ModelTask>()

  waitingOn(task: ModelTask): number {
    return task.dependsOn.filter((id) => (this.active.get(id) ?? this.trash.get(id))?.status !== 'done').length
  }

  stage(task: ModelTask, now: number): string {
    if (task.status !== 'pending') return task.status
    if (this.waitingOn(task) > 0) return 'waiting'
    return (task.nextRetryAt ?? 0) > now ? 'delayed' : 'ready'
  }

  /** The task that a claim takes. */
  first(now: number): ModelTask | undefined {
    const rank = (task: ModelTask) => `${task.priority} ${task.createdAt} ${task.taskId}`
    const ready = [...this.active.values()].filter((task) => this.stage(task, now) === 'ready')
    return ready.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))[0]
  }

  /** True if `from` waits for `to`, over any number of tasks, including those in the trash. */
  waitsFor(from: string, to: string): boolean {
    if (from === to) return true
    const task = this.active.get(from) ?? this.trash.get(from)
    return task?.dependsOn.some((id) => this.waitsFor(id, to)) ?? false
  }

  claim(task: ModelTask, now: number, leaseSeconds: number, claimId: string): void {
    this.move(task, 'working', now)
    task.leaseUntil = now + leaseSeconds * 1000
    task.claimId = claimId
  }

  /** A claim ends with a move, unless its holder makes it. */
  move(task: ModelTask, status: string, now: number, quoted = false): void {
    const from = task.status
    task.status = status
    if (status === 'working') task.started = true
    else delete task.leaseUntil
    if (status === 'done' || status === 'blocked') task.completedAt = from === status ? (task.completedAt ?? now) : now
    else delete task.completedAt
    if (status === 'pending' || (from !== status && !quoted)) delete task.claimId
    if (status === 'pending' && (from === 'blocked' || from === 'dead_letter')) {
      task.retryCount = 0
      delete task.nextRetryAt
    }
    if (status !== 'pending' && status !== 'paused') delete task.nextRetryAt
  }

  defer(task: ModelTask, seconds: number, now: number): void {
    task.pacingDeferCount++
    task.nextRetryAt = now + seconds * 1000
  }

  fail(task: ModelTask, now: number): void {
    const retries = task.retryCount
    this.move(task, retries < MAX_RETRIES ? 'pending' : 'dead_letter', now)
    if (retries >= MAX_RETRIES) return
    task.retryCount = retries + 1
    task.nextRetryAt = now + Math.min(5 * 2 ** retries, 360) * MINUTE_MS
  }

  expired(now: number): ModelTask[] {
    return [...this.active.values()].filter(({ leaseUntil }) => leaseUntil !== undefined && leaseUntil <= now)
  }
}
