import type { ClientSession } from 'mongodb'

/** Where a collection’s operations run: by themselves, or inside one transaction. */
export interface Scope {
  readonly session: ClientSession | undefined
  /** Times in changes are set, and compared, by the server. Inside a transaction all times are one value. */
  readonly serverTimes: boolean
  /** How long one answer of the server is waited for. */
  readonly answerLimitMs: number
  /** The store’s time for one operation. */
  now(): number
  /** Runs one operation. Throws when none may begin any more; a store that cannot answer is UNAVAILABLE. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Runs several changes as one, where the server can do that. */
  whole<T>(work: (scope: Scope) => Promise<T>): Promise<T>
}

/** A transaction’s scope, until it is ended. The driver sees its own errors: by them it knows what to try again. */
export class TransactionScope implements Scope {
  readonly session: ClientSession | undefined
  readonly serverTimes = false
  readonly answerLimitMs: number
  readonly #nowMs: number
  #ended = false

  constructor(session: ClientSession | undefined, nowMs: number, answerLimitMs: number) {
    this.session = session
    this.answerLimitMs = answerLimitMs
    this.#nowMs = nowMs
  }

  now(): number {
    return this.#nowMs
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#ended) throw new Error('This transaction has ended: its collections can no longer be used.')
    return work()
  }

  whole<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
    return work(this)
  }

  end(): void {
    this.#ended = true
  }
}
