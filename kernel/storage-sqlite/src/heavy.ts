import { Worker } from 'node:worker_threads'
import { Unavailable } from '@gateway/sdk'
import type { Row, SqlValue } from './driver.ts'
import type { Statement } from './select.ts'

export interface WorkerData {
  readonly path: string
}
/** `restart` also has the log begun anew by who writes next; until then nobody else may write. */
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

/** Requests the thread has at a time: the next one is there when it is done with one. */
const AHEAD = 2

/** A statement under way keeps a thread from hearing that it should end. */
const CLOSE_LIMIT_MS = 10_000

/**
 * Work on the database that can take long, in a thread of its own so that the event loop goes on: reads whose price
 * grows with the data, backups, checkpoints. Tenants have the thread in turn, so that many requests of one hold up only its own. It starts with the first request and does not keep the process
 * alive. When it dies, what it had not answered is asked once more of a new one.
 */
export class HeavyWork {
  readonly #path: string
  /** What the thread was asked and has not answered. */
  readonly #pending = new Map<number, Pending>()
  /** What waits, by tenant, in the order in which their turns come; what is of no tenant takes turns with them. */
  readonly #waiting = new Map<string, Pending[]>()
  #worker: Worker | undefined
  #nextId = 0
  #closed = false

  constructor(path: string) {
    this.#path = path
  }

  /** What the statement yields of the state committed by now or later. */
  rows(statement: Statement, tenant = ''): Promise<readonly Row[]> {
    return this.#ask({ kind: 'rows', id: this.#nextId++, ...statement }, tenant)
  }

  /** Whether it would see to the next request at once. */
  get idle(): boolean {
    return this.#pending.size === 0
  }

  /** Bring what the write-ahead log holds into the database, as far as readers allow. */
  async checkpoint(mode: CheckpointMode): Promise<void> {
    await this.#ask({ kind: 'checkpoint', id: this.#nextId++, mode })
  }

  /**
   * Write the database anew, with nothing in it but what is there, and empty its log. Nobody else may write meanwhile. False when somebody
   * reads what was there before, so that the log still has it.
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
      // Behind the others.
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
    // An entry of this package by its name, since it stays a file where others are bundled.
    const program = new URL(import.meta.resolve('@gateway/storage-sqlite/heavy-worker'))
    const worker = new Worker(program, { workerData: { path: this.#path } satisfies WorkerData, name: 'gateway-store' })
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
