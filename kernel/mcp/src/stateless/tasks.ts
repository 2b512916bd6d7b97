import { randomBytes } from 'node:crypto'
import type { Gateway } from '@gateway/kernel'
import { BadRequest, cutText, isToolError, type Principal } from '@gateway/sdk'
import { withTimeLimit } from '@gateway/sdk/bounds'
import { INTERNAL } from '../jsonrpc.ts'
import type { LazyAbort } from '../lazy-abort.ts'
import { LiveTask } from './live-task.ts'
import { invalidParams } from './refusal.ts'
import type { Given } from './state-seal.ts'
import { ended, type TaskEnd, type TaskRecord, taskRecords } from './task-records.ts'

/** Time that a task waits for answers: each holds its handler and a permit. */
const MAX_WAIT_MS = 3_600_000
const LOOK_EVERY_MS = 60_000

const UNANSWERED: TaskEnd = {
  status: 'failed',
  error: { code: INTERNAL, message: 'The question was not answered within an hour; call the tool again.' },
}

const BY_CLIENT = 'Cancelled by the client.'

/** Message between nodes about tasks: the node that works on a task is not always the one its client talks to. */
const CHANGED = 'mcp.task'
const CANCELLED = 'mcp.task-cancel'
const ANSWERED = 'mcp.task-answer'

export type TaskChanged = (record: TaskRecord, tenantId: string) => void

/** The tasks of all callers: running ones are held here, all of them are stored. */
export class Tasks {
  readonly #gateway: Gateway
  readonly #changed: TaskChanged
  readonly #live = new Map<string, LiveTask>()
  #timer: NodeJS.Timeout | undefined
  #closing = false

  constructor(gateway: Gateway, changed: TaskChanged) {
    this.#gateway = gateway
    this.#changed = changed
    const { relay } = gateway
    relay.subscribe(CHANGED, async ({ tenantId, data }) => {
      const record = await this.#records(tenantId).get(data as string)
      if (record) changed(record, tenantId)
    })
    relay.subscribe(CANCELLED, ({ data }) => void this.#live.get(data as string)?.cancel(BY_CLIENT))
    relay.subscribe(ANSWERED, ({ data }) => {
      const { taskId, given } = data as { taskId: string; given: Given }
      this.#live
        .get(taskId)
        ?.answer(given)
        .catch((error: unknown) => gateway.log.warn({ err: error, taskId }, 'an answer was not taken'))
    })
  }

  /** Stores a task for a running call; undefined if there is no room for another one. `abort` ends the call. */
  async begin(owner: Principal, abort: LazyAbort): Promise<LiveTask | undefined> {
    if (this.#closing || !this.#hasRoom(owner)) return undefined
    const task = new LiveTask({
      // Not created by `newId`, whose consecutive ids can be guessed from each other.
      taskId: `task-${randomBytes(18).toString('base64url')}`,
      owner,
      node: this.#gateway.relay.nodeId,
      records: this.#records(owner.tenantId),
      clock: this.#gateway.clock,
      log: this.#gateway.log,
      abort,
      changed: (record) => this.#publishChanged(record, owner.tenantId),
    })
    this.#live.set(task.taskId, task)
    void task.over.then(() => this.#forget(task))
    try {
      await task.insert()
    } catch (error) {
      this.#forget(task)
      throw error
    }
    this.#timer ??= setInterval(() => this.#endAllUnanswered(), LOOK_EVERY_MS).unref()
    return task
  }

  /** Throws -32602 for a task that is missing, expired, or another caller's: the three look the same. */
  async get(caller: Principal, taskId: string): Promise<TaskRecord> {
    await this.#endUnanswered(this.#live.get(taskId))
    const [record] = await this.getMany(caller, [taskId])
    if (record === undefined) throw invalidParams(`no task ${JSON.stringify(cutText(taskId, 100))} of this caller`)
    return record
  }

  /** Returns those of these tasks that belong to the caller. */
  async getMany(caller: Principal, taskIds: readonly string[]): Promise<readonly TaskRecord[]> {
    const found = await this.#records(caller.tenantId).getMany(taskIds)
    const now = new Date(this.#gateway.clock.now()).toISOString()
    return found.filter(({ owner, expiresAt }) => owner === caller.id && (expiresAt === undefined || expiresAt > now))
  }

  async update(caller: Principal, taskId: string, given: Given): Promise<void> {
    const { open } = await this.get(caller, taskId)
    const live = this.#live.get(taskId)
    if (!live && open) return this.#gateway.relay.publishDurably({ topic: ANSWERED, tenantId: caller.tenantId, data: { taskId, given } })
    try {
      await live?.answer(given)
    } catch (error) {
      if (isToolError(error) && error.code === BadRequest.code) throw invalidParams(error.message)
      throw error
    }
  }

  async cancel(caller: Principal, taskId: string): Promise<void> {
    const { open } = await this.get(caller, taskId)
    const live = this.#live.get(taskId)
    if (live || !open) return live?.cancel(BY_CLIENT)
    const cancelled = ended({ status: 'cancelled', statusMessage: BY_CLIENT }, this.#gateway.clock.now())
    const record = await this.#records(caller.tenantId).updateOne(taskId, cancelled, { open: true })
    if (record === undefined) return
    this.#publishChanged(record, caller.tenantId)
    await this.#gateway.relay.publishDurably({ topic: CANCELLED, tenantId: caller.tenantId, data: taskId })
  }

  endTenant(tenantId: string): void {
    for (const task of this.#live.values()) {
      if (task.owner.tenantId === tenantId) void task.cancel('The tenant was suspended.')
    }
  }

  /** Begins no new tasks, lets running ones end within the limit, and abandons the rest. */
  async close(limitMs: number): Promise<void> {
    this.#closing = true
    clearInterval(this.#timer)
    const tasks = [...this.#live.values()]
    await Promise.all(tasks.map((task) => task.refuseAnswers()))
    const over = Promise.all(tasks.map((task) => task.over))
    await withTimeLimit(over, limitMs, 'running tasks').catch((error: unknown) => this.#gateway.log.warn(String(error)))
    await Promise.all([...this.#live.values()].map((task) => task.abandon()))
  }

  #endAllUnanswered(): void {
    for (const task of this.#live.values()) void this.#endUnanswered(task)
  }

  async #endUnanswered(task: LiveTask | undefined): Promise<void> {
    if (task?.isWaitingSince(this.#gateway.clock.now() - MAX_WAIT_MS)) await task.abandon(UNANSWERED)
  }

  /** Tasks may take half of the permits, and one caller a quarter of that: they last long, and other calls need room. */
  #hasRoom(owner: Principal): boolean {
    const most = Math.ceil(this.#gateway.settings.maxInFlight / 2)
    let ofCaller = 0
    for (const { owner: other } of this.#live.values()) if (other.id === owner.id && other.tenantId === owner.tenantId) ofCaller++
    return this.#live.size < most && ofCaller < Math.ceil(most / 4)
  }

  #publishChanged(record: TaskRecord, tenantId: string): void {
    this.#changed(record, tenantId)
    this.#gateway.relay.publish({ topic: CHANGED, tenantId, data: record.taskId })
  }

  #forget(task: LiveTask): void {
    this.#live.delete(task.taskId)
    if (this.#live.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #records(tenantId: string) {
    return this.#gateway.store.collection<TaskRecord>(taskRecords, tenantId)
  }
}
