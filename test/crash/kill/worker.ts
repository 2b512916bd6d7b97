import { type Random, upTo } from '../powercut/random.ts'
import type { Promises, TaskState } from './promises.ts'

/** Calls one tool and returns its result; rejects when it is refused or the connection breaks. */
export type Caller = (tool: string, args: object) => Promise<Record<string, unknown>>

/** A worker of a fleet: creates, claims, finishes, fails and releases the tasks of a round, and sends mail. */
export class Worker {
  readonly #name: string
  readonly #round: string
  readonly #call: Caller
  readonly #promises: Promises
  readonly #random: Random
  #made = 0

  constructor(name: string, round: string, call: Caller, promises: Promises, random: Random) {
    this.#name = name
    this.#round = round
    this.#call = call
    this.#promises = promises
    this.#random = random
  }

  /** Ends with the connection. */
  async run(): Promise<never> {
    for (;;) {
      const luck = this.#random()
      if (luck < 0.4) await this.#create()
      else if (luck < 0.8) await this.#claimAndWork()
      else await this.#send()
    }
  }

  async #create(): Promise<void> {
    const title = this.#newTitle()
    this.#promises.creating.add(title)
    const { task } = await this.#call('tasks_create', { repo: this.#round, title, priority: `P${upTo(this.#random, 4)}` })
    this.#promises.creating.delete(title)
    this.#promises.created((task as { taskId: string }).taskId, title)
  }

  async #claimAndWork(): Promise<void> {
    this.#promises.claiming.add(this.#name)
    const { claimed, task } = await this.#call('tasks_claim', { repo: this.#round, claimedBy: this.#name })
    this.#promises.claiming.delete(this.#name)
    if (claimed === false) return
    const {
      taskId,
      title,
      status,
      claimId = '',
      retryCount = 0,
    } = task as Omit<TaskState, 'retryCount'> & { taskId: string; retryCount?: number }
    const held = { title, status, claimedBy: this.#name, claimId, retryCount }
    this.#promises.claimed(taskId, held)
    await this.#endWork(taskId, held)
  }

  /** Finishes the task, fails it, releases it, or goes silent forever. */
  async #endWork(taskId: string, held: TaskState): Promise<void> {
    const { title, retryCount, claimId } = held
    const luck = this.#random()
    if (luck < 0.4) {
      const done = { status: 'done', notes: `done by ${this.#name}` }
      await this.#change('tasks_update', { taskId, claimId, ...done }, { ...held, ...done })
    } else if (luck < 0.6) {
      const error = `failed by ${this.#name}`
      await this.#change('tasks_fail', { taskId, claimId, error }, { title, status: 'pending', notes: error, retryCount: retryCount + 1 })
    } else if (luck < 0.8) {
      await this.#change('tasks_update', { taskId, claimId, status: 'pending' }, { title, status: 'pending', retryCount })
    }
  }

  async #change(tool: string, args: { readonly taskId: string; readonly [name: string]: unknown }, next: TaskState): Promise<void> {
    this.#promises.asked(args.taskId, next)
    await this.#call(tool, args)
    this.#promises.changed(args.taskId, next)
  }

  async #send(): Promise<void> {
    const subject = this.#newTitle()
    this.#promises.sending.add(subject)
    const { message } = await this.#call('mail_send', { to: this.#round, from: this.#name, subject, body: subject.repeat(8) })
    this.#promises.sending.delete(subject)
    this.#promises.mail.set((message as { messageId: string }).messageId, subject)
  }

  #newTitle(): string {
    return `${this.#round} ${this.#name} ${this.#made++}`
  }
}
