import { Worker } from 'node:worker_threads'
import { Unavailable } from '@gateway/sdk'
import type { Row, SqlValue } from './driver.ts'
import type { Statement } from './select.ts'

export interface WorkerData {
  readonly path: string
}
/** `restart` also makes the next writer restart the log; until then nobody else may write. */
export type CheckpointMode = 'passive' | 'restart'
export type Request =
  | { readonly kind: 'rows'; readonly id: number; readonly sql: string; readonly params: readonly SqlValue[] }
  | { readonly kind: 'checkpoint'; readonly id: number; readonly mode: CheckpointMode }
  | { readonly kind: 'vacuum'; readonly id: number }
  | { readonly kind: 'close' }
export type Answer = { readonly id: number; readonly rows: readonly Row[] } | { readonly id: number; readonly error: string }

interface Pending {
  readonly request: Exclude<Request, { kind: 'close' }>
  readonly resolve: (rows: readonly Row[]) => void
  readonly reject: (error: Error) => void
  retried: boolean
}

/** Number of requests sent to the thread at a time, so that the next one is ready when it finishes one. */
const AHEAD = 2

/** A running statement keeps a thread from noticing that it should end. */
const CLOSE_LIMIT_MS = 10_000

/**
 * Runs database work that can take long in a separate thread, so that the event loop continues: reads whose cost grows with the
 * data, backups, checkpoints. Tenants take turns, so that many requests of one delay only its own. The thread starts with the
 * first request and does not keep the process alive. If it dies, its unanswered requests are sent once more to a new one.
 */
export class HeavyWork {
  readonly #path: string
  readonly #pending = new Map<number, Pending>()
  /** Waiting requests by tenant, in the order of their turns; those of no tenant take turns with them. */
  readonly #waiting = new Map<string, Pending[]>()
  #worker: Worker | undefined
  #nextId = 0
  #closed = false

  constructor(path: string) {
    this.#path = path
  }

  /** Rows of the statement from the state committed by now or later. */
  rows(statement: Statement, tenant = ''): Promise<readonly Row[]> {
    return this.#ask({ kind: 'rows', id: this.#nextId++, ...statement }, tenant)
  }

  get idle(): boolean {
    return this.#pending.size === 0
  }

  /** Checkpoints the write-ahead log as far as readers allow. */
  async checkpoint(mode: CheckpointMode): Promise<void> {
    await this.#ask({ kind: 'checkpoint', id: this.#nextId++, mode })
  }

  /**
   * Rewrites the database without free pages and empties its log. No other process may write meanwhile. False if another
   * process still reads the old state, so that the log keeps it.
   */
  async vacuum(): Promise<boolean> {
    const [log] = await this.#ask({ kind: 'vacuum', id: this.#nextId++ })
    return log?.busy === 0
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { reject } of [...this.#waiting.values()].flat()) reject(closed())
    this.#waiting.clear()
    const worker = this.#worker
    if (!worker) return
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    const impatient = setTimeout(() => void worker.terminate(), CLOSE_LIMIT_MS)
    this.#send({ kind: 'close' })
    await ended
    clearTimeout(impatient)
  }

  #ask(request: Pending['request'], tenant = ''): Promise<readonly Row[]> {
    if (this.#closed) return Promise.reject(closed())
    return new Promise((resolve, reject) => {
      const pending: Pending = { request, resolve, reject, retried: false }
      const queue = this.#waiting.get(tenant)
      if (queue) queue.push(pending)
      else this.#waiting.set(tenant, [pending])
      this.#sendNext()
    })
  }

  #sendNext(): void {
    while (this.#pending.size < AHEAD) {
      const [first] = this.#waiting
      if (!first) return
      const [tenant, queue] = first
      const pending = queue.shift() as Pending
      this.#waiting.delete(tenant)
      // Goes to the end of the order.
      if (queue.length > 0) this.#waiting.set(tenant, queue)
      this.#pending.set(pending.request.id, pending)
      this.#send(pending.request)
    }
  }

  #send(request: Request): void {
    this.#worker ??= this.#start()
    // A waiting caller keeps the process alive; an idle thread does not.
    this.#worker.ref()
    this.#worker.postMessage(request)
  }

  #start(): Worker {
    // An entry of this package resolved by its name, because it stays a file while others are bundled. It always runs as built.
    const program = new URL(import.meta.resolve('@gateway/storage-sqlite/heavy-worker'))
    const worker = new Worker(program, { workerData: { path: this.#path } satisfies WorkerData, name: 'gateway-store', execArgv: [] })
    let failure = 'the thread ended'
    worker.on('message', (answer: Answer) => this.#settle(answer))
    worker.on('error', (error) => {
      failure = error.message
    })
    worker.on('exit', () => this.#lost(failure))
    return worker
  }

  #settle(answer: Answer): void {
    const pending = this.#pending.get(answer.id)
    this.#pending.delete(answer.id)
    this.#sendNext()
    if (this.#pending.size === 0 && !this.#closed) this.#worker?.unref()
    if ('rows' in answer) pending?.resolve(answer.rows)
    else pending?.reject(new Error(`The store could not read: ${answer.error}`, { cause: new Error(answer.error) }))
  }

  #lost(failure: string): void {
    this.#worker = undefined
    for (const [id, pending] of this.#pending) {
      if (pending.retried || this.#closed) {
        this.#pending.delete(id)
        pending.reject(this.#closed ? closed() : Unavailable({ message: `The store could not answer: ${failure}.` }))
      } else {
        pending.retried = true
        this.#send(pending.request)
      }
    }
    this.#sendNext()
  }
}

function closed(): Error {
  return Unavailable({ message: 'The store is closed.' })
}
