import { Pool } from 'undici'
import { type Random, upTo } from '../powercut/random.ts'
import type { Promises, TaskState } from './promises.ts'

const CONNECTIONS = 32
const WORKERS = 48

/** Raised when the connection broke before an answer came: nobody knows whether the call was carried out. */
class Unanswered extends Error {}

/** The answer of one tool. */
export type Caller = (tool: string, args: object) => Promise<Record<string, unknown>>

/**
 * Many workers over many connections: they create, claim, finish, fail and give back tasks and send mail, until the
 * gateway is killed under them. `onAnswer` hears of every answer.
 */
export async function runFleet(url: string, round: string, promises: Promises, random: Random, onAnswer: () => void): Promise<void> {
  const pool = new Pool(url, { connections: CONNECTIONS })
  const call: Caller = async (tool, args) => {
    const answer = await post(pool, tool, args).catch((error: unknown) => {
      if (error instanceof Unanswered) count(promises.unanswered, tool)
      throw error
    })
    count(promises.answered, tool)
    onAnswer()
    return answer
  }
  const workers = Array.from({ length: WORKERS }, (_, n) => new Worker(`worker-${n}`, round, call, promises, random).run())
  const ends = await Promise.allSettled(workers)
  await pool.destroy()
  for (const end of ends) if (end.status === 'rejected' && !(end.reason instanceof Unanswered)) throw end.reason
}

export const caller =
  (pool: Pool): Caller =>
  (tool, args) =>
    post(pool, tool, args)

async function post(pool: Pool, tool: string, args: object): Promise<Record<string, unknown>> {
  const request = {
    method: 'POST',
    path: `/api/tools/${tool}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(args),
  } as const
  const { status, text } = await pool
    .request(request)
    .then(async ({ statusCode, body }) => ({ status: statusCode, text: await body.text() }))
    .catch((error: unknown) => {
      throw new Unanswered('no answer', { cause: error })
    })
  if (status >= 300) throw new Error(`${tool} ${JSON.stringify(args)} answered ${status}: ${text}`)
  return JSON.parse(text) as Record<string, unknown>
}

const count = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

class Worker {
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
    const title = `${this.#round} ${this.#name} ${this.#made++}`
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
    const { taskId, claimId, ...state } = task as TaskState & { taskId: string }
    const held: TaskState = {
      title: state.title,
      status: state.status,
      claimedBy: this.#name,
      ...(claimId && { claimId }),
      retryCount: state.retryCount ?? 0,
    }
    this.#promises.claimed(taskId, held)
    const luck = this.#random()
    if (luck < 0.4)
      await this.#change(
        'tasks_update',
        taskId,
        { claimId, status: 'done', notes: `done by ${this.#name}` },
        { ...held, status: 'done', notes: `done by ${this.#name}` },
      )
    else if (luck < 0.6)
      await this.#change(
        'tasks_fail',
        taskId,
        { claimId, error: `failed by ${this.#name}` },
        released(held, { notes: `failed by ${this.#name}`, retryCount: held.retryCount + 1 }),
      )
    else if (luck < 0.8) await this.#change('tasks_update', taskId, { claimId, status: 'pending' }, released(held))
  }

  async #change(tool: string, taskId: string, args: object, next: TaskState): Promise<void> {
    this.#promises.asked(taskId, next)
    await this.#call(tool, { taskId, ...args })
    this.#promises.changed(taskId, next)
  }

  async #send(): Promise<void> {
    const subject = `${this.#round} ${this.#name} ${this.#made++}`
    this.#promises.sending.add(subject)
    const { message } = await this.#call('mail_send', {
      to: addressOf(this.#name, this.#round),
      from: this.#name,
      subject,
      body: subject.repeat(8),
    })
    this.#promises.sending.delete(subject)
    this.#promises.mail.set((message as { messageId: string }).messageId, subject)
  }
}

/** One address per worker and round, so that one page of an inbox holds all of it. */
export const addressOf = (worker: string, round: string): string => `${worker}/${round}`
export const workerNames = Array.from({ length: WORKERS }, (_, n) => `worker-${n}`)

function released({ title, retryCount }: TaskState, more: Partial<TaskState> = {}): TaskState {
  return { title, status: 'pending', retryCount, ...more }
}
