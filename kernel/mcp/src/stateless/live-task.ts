import type { Clock } from '@gateway/kernel'
import { type Collection, type InputRequest, type InputRequests, InputUnavailable, type Principal, type Update } from '@gateway/sdk'
import type { Logger } from 'pino'
import { checkAnswer, fits } from '../answers.ts'
import { INTERNAL, RpcError } from '../jsonrpc.ts'
import type { LazyAbort } from '../lazy-abort.ts'
import { questionsText } from './questions.ts'
import type { Given } from './state-seal.ts'
import { ended, RESTARTED, type TaskEnd, type TaskRecord, taskText } from './task-records.ts'

export interface LiveTaskParts {
  readonly taskId: string
  readonly owner: Principal
  readonly node: string
  readonly records: Collection<TaskRecord>
  readonly clock: Clock
  readonly log: Logger
  readonly abort: LazyAbort
  readonly changed: (record: TaskRecord) => void
}

interface Waiting {
  readonly questions: readonly (readonly [string, InputRequest])[]
  readonly resolve: () => void
  readonly reject: (why: Error) => void
}

/**
 * A call that continues without its caller:
 *
 * 1. working: the handler runs.
 * 2. input_required: it asked, and continues when everything it asked for has been answered.
 * 3. completed, failed or cancelled: for good. Later results of the handler are ignored.
 *
 * Each step is stored, one after the other, before anyone is notified.
 */
export class LiveTask {
  readonly taskId: string
  readonly owner: Principal
  /** Resolves when the work is over, whatever the outcome. */
  readonly over: Promise<void>
  readonly #parts: LiveTaskParts
  readonly #outstanding = new Map<string, InputRequest>()
  readonly #answers = new Map<string, unknown>()
  readonly #waiting = new Set<Waiting>()
  #beginning = ''
  #waitingSince = 0
  #end: TaskEnd | undefined
  #lastWrite: Promise<unknown> = Promise.resolve()
  #acceptsAnswers = true
  #resolveOver: () => void = () => {}

  constructor(parts: LiveTaskParts) {
    this.taskId = parts.taskId
    this.owner = parts.owner
    this.#parts = parts
    this.over = new Promise((resolve) => (this.#resolveOver = resolve))
  }

  /** The task as its client first sees it, as JSON. */
  get beginning(): string {
    return this.#beginning
  }

  /** Stores the beginning; a task exists for its client only after that. */
  async insert(): Promise<void> {
    const at = new Date(this.#parts.clock.now()).toISOString()
    const record: TaskRecord = {
      taskId: this.taskId,
      owner: this.owner.id,
      status: 'working',
      createdAt: at,
      lastUpdatedAt: at,
      open: true,
      node: this.#parts.node,
    }
    this.#beginning = taskText(await this.#parts.records.insert(record))
  }

  /** Returns the answers to these questions once the client has sent all of them. A task never asks two things under one key. */
  async ask(questions: InputRequests): Promise<Readonly<Record<string, unknown>>> {
    const open = Object.entries(questions).filter(([key]) => !this.#answers.has(key))
    for (const [key, question] of Object.entries(questions)) {
      if (!this.#answers.has(key) || fits(key, question, this.#answers.get(key))) continue
      throw new Error(`the task has asked another question under the key ${JSON.stringify(key)}; each question needs its own key`)
    }
    if (open.length > 0) await this.#wait(open)
    return Object.fromEntries(Object.keys(questions).map((key) => [key, this.#answers.get(key)]))
  }

  /** Accepts the answers to a question of this task and ignores others. Throws BAD_REQUEST, and then accepts nothing. */
  async answer(given: Given): Promise<void> {
    const taken = [...this.#outstanding].filter(([key]) => Object.hasOwn(given, key))
    for (const [key, question] of taken) checkAnswer(key, question, given[key])
    for (const [key] of taken) {
      this.#answers.set(key, given[key])
      this.#outstanding.delete(key)
    }
    if (taken.length === 0) return
    await this.#write(() => this.#progress())
    for (const waiting of this.#waiting) {
      if (!waiting.questions.every(([key]) => this.#answers.has(key))) continue
      this.#waiting.delete(waiting)
      waiting.resolve()
    }
  }

  async follow(work: Promise<string | Buffer>): Promise<void> {
    try {
      await this.#close(await this.#endOf(work))
    } finally {
      this.#resolveOver()
    }
  }

  /** Takes effect at once for the client; the work is told, and may take a while to end. */
  async cancel(statusMessage: string): Promise<void> {
    this.#parts.abort.abort(new Error(statusMessage))
    await this.#close({ status: 'cancelled', statusMessage })
  }

  /** Ends a task that cannot end any more: nobody will answer, or the gateway stops. */
  async abandon(end: TaskEnd = RESTARTED): Promise<void> {
    this.#parts.abort.abort(new Error('the task was given up'))
    await this.#close(end)
  }

  isWaitingSince(time: number): boolean {
    return this.#waiting.size > 0 && this.#waitingSince <= time
  }

  /** Refuses answers from now on. Work that needs none may end. */
  async refuseAnswers(): Promise<void> {
    this.#acceptsAnswers = false
    if (this.#waiting.size > 0) await this.abandon()
  }

  async #wait(questions: Waiting['questions']): Promise<void> {
    if (!this.#acceptsAnswers) await this.abandon()
    if (this.#end !== undefined) throw unanswered(questions)
    for (const [key, question] of questions) this.#outstanding.set(key, question)
    this.#waitingSince = this.#parts.clock.now()
    const answered = new Promise<void>((resolve, reject) => this.#waiting.add({ questions, resolve, reject }))
    await Promise.all([answered, this.#write(() => this.#progress())])
  }

  async #endOf(work: Promise<string | Buffer>): Promise<TaskEnd> {
    try {
      // The answer that the call itself would have had.
      return { status: 'completed', result: `{"resultType":"complete",${(await work).toString().slice(1)}` }
    } catch (error) {
      if (error instanceof RpcError) return { status: 'failed', error }
      this.#parts.log.error({ err: error, taskId: this.taskId }, 'a task failed')
      return { status: 'failed', error: { code: INTERNAL, message: 'Internal error' } }
    }
  }

  /** The first end is kept. */
  async #close(end: TaskEnd): Promise<void> {
    if (this.#end !== undefined) return
    this.#end = end
    for (const { questions, reject } of this.#waiting) reject(unanswered(questions))
    this.#waiting.clear()
    try {
      await this.#write(() => ended(end, this.#parts.clock.now()))
    } catch (error) {
      this.#parts.log.error({ err: error, taskId: this.taskId }, 'the end of a task could not be stored')
    }
  }

  #progress(): Update<TaskRecord> {
    const lastUpdatedAt = new Date(this.#parts.clock.now()).toISOString()
    if (this.#outstanding.size === 0) return { set: { status: 'working', lastUpdatedAt }, unset: ['inputRequests'] }
    return { set: { status: 'input_required', lastUpdatedAt, inputRequests: questionsText(this.#outstanding) } }
  }

  /** Writes updates one after another, each computed when its turn comes; nothing is written after the end. */
  #write(update: () => Update<TaskRecord>): Promise<void> {
    const written = this.#lastWrite.then(async () => {
      const record = await this.#parts.records.updateOne(this.taskId, update(), { open: true })
      if (record !== undefined) this.#parts.changed(record)
    })
    this.#lastWrite = written.catch(() => undefined)
    return written
  }
}

const unanswered = (questions: Waiting['questions']): Error => InputUnavailable({ ability: questions[0]?.[1].needs ?? 'elicitation' })
