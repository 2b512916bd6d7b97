import type { ClientSession } from 'mongodb'

/** Scope of a collection's operations: independent, or inside one transaction. */
export interface Scope {
  readonly session: ClientSession | undefined
  /** The server sets and compares times in changes. Inside a transaction all times are one value. */
  readonly serverTimes: boolean
  /** Longest wait for one answer of the server. */
  readonly answerLimitMs: number
  /** The store's time for one operation. */
  now(): number
  /** Runs one operation. Throws if none may begin any more; a store that cannot answer is UNAVAILABLE. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Runs several changes as one. */
  whole<T>(work: (scope: Scope) => Promise<T>): Promise<T>
}

/** Scope of a transaction until it ends. The driver receives its own errors, by which it decides what to retry. */
export class TransactionScope implements Scope {
  readonly session: ClientSession
  readonly serverTimes = false
  readonly answerLimitMs: number
  readonly #nowMs: number
  #ended = false

  constructor(session: ClientSession, nowMs: number, answerLimitMs: number) {
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
