import { isToolError, Unavailable } from '@gateway/sdk'
import { withTimeLimit } from '@gateway/sdk/bounds'
import { MongoServerSelectionError } from 'mongodb'
import { storeError } from './errors.ts'

const GRACE_MS = 100

/** Running operations: each within its time. Once the store is closing no new ones begin, and it waits for the rest. */
export class Running {
  readonly #answerLimitMs: number
  readonly #log: { warn(message: string, fields?: object): void }
  #count = 0
  #idle: (() => void) | undefined
  #isClosing = false
  #isSilent = false

  constructor(answerLimitMs: number, log: { warn(message: string, fields?: object): void }) {
    this.#answerLimitMs = answerLimitMs
    this.#log = log
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.check()
    this.#count++
    try {
      // The driver waits without end on a connection that is lost after it was taken and before it is used. The limit is a little
      // longer than that of
      // an answer, so that the reason is known.
      const result = await withTimeLimit(work(), this.#answerLimitMs + GRACE_MS, 'an answer of MongoDB')
      this.#answered()
      return result
    } catch (error) {
      const failure = storeError(error)
      if (failure !== error || (isToolError(error) && error.cause instanceof MongoServerSelectionError)) this.#silent(failure)
      throw failure
    } finally {
      this.#count--
      if (this.#count === 0) this.#idle?.()
    }
  }

  /** Throws once the store is closing. */
  check(): void {
    if (this.#isClosing) throw Unavailable({ message: 'The store is closed.' })
  }

  /** Lets no more operations begin; resolves when the running ones have ended. */
  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#count > 0) await new Promise<void>((resolve) => (this.#idle = resolve))
  }

  /** Logged once at the beginning, however many calls meet it, and once when it is over. */
  #silent(failure: unknown): void {
    if (this.#isSilent) return
    this.#isSilent = true
    this.#log.warn('MongoDB does not answer', { error: String((failure as Error).cause) })
  }

  #answered(): void {
    if (!this.#isSilent) return
    this.#isSilent = false
    this.#log.warn('MongoDB answers again')
  }
}
