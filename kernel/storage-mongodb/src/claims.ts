import { withTimeLimit } from '@gateway/sdk/bounds'

/** Number of claimers that read the head of the queue together; a MongoDB cursor returns this many in its first answer. */
const MAX_TOGETHER = 64
/** Further matches that they read: if another process takes one of theirs, the next is at hand without another query. */
const SPARE = 8

/** Undefined if another process changed the document first; null if by the server's clock it may not be taken yet. */
type Take<Found, Doc> = (found: Found) => Promise<Doc | undefined | null>

interface Claimer<Found, Doc> {
  readonly take: Take<Found, Doc>
  readonly resolve: (doc: Doc | undefined) => void
  readonly reject: (error: unknown) => void
  attempts: number
}

export interface Head<Found> {
  /** Returns the first matches, in order. */
  read(limit: number): Promise<readonly Found[]>
}

/**
 * Claims of one queue in this process, so that a hundred claimers do not race each other for its first document:
 *
 * 1. Waiting claimers read the head of the queue together, in a read that began after each of them came.
 * 2. Each takes another document, in the order of the queue, by a conditional write.
 * 3. A claimer overtaken by another process takes a spare, and after that waits for the next read.
 */
export class ClaimQueue<Found, Doc> {
  readonly #head: Head<Found>
  readonly #maxAttempts: number
  /** Longest wait for an answer: without it a lost answer would block the queue for good. */
  readonly #limitMs: number
  #waiting: Claimer<Found, Doc>[] = []
  #running = false

  constructor(head: Head<Found>, maxAttempts: number, limitMs: number) {
    this.#head = head
    this.#maxAttempts = maxAttempts
    this.#limitMs = limitMs
  }

  /** The document as `take` returned it; undefined if no document can be taken. `onIdle` is called when nobody waits any more. */
  claim(take: Take<Found, Doc>, onIdle: () => void): Promise<Doc | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ take, resolve, reject, attempts: 0 })
      if (!this.#running) void this.#serve().then(onIdle)
    })
  }

  async #serve(): Promise<void> {
    this.#running = true
    while (this.#waiting.length > 0) {
      const together = this.#waiting.splice(0, MAX_TOGETHER)
      try {
        const limit = together.length + SPARE
        const found = [...(await this.#inTime(this.#head.read(limit)))]
        const mayBeMore = found.length === limit
        // The next read waits for these writes; otherwise it would only see what is being taken.
        await Promise.all(together.map((claimer) => this.#serveOne(claimer, found, mayBeMore)))
      } catch (error) {
        for (const { reject } of together) reject(error)
      }
    }
    this.#running = false
  }

  async #serveOne(claimer: Claimer<Found, Doc>, found: Found[], mayBeMore: boolean): Promise<void> {
    let wasOvertaken = false
    let isTooSoon = false
    try {
      for (let next = found.shift(); next !== undefined; next = found.shift()) {
        const taken = await this.#inTime(claimer.take(next))
        if (taken === null) isTooSoon = true
        else if (taken === undefined) wasOvertaken = true
        else return claimer.resolve(taken)
      }
    } catch (error) {
      return claimer.reject(error)
    }
    // A document that is due for this node and not for the server would be read again and again.
    if (!wasOvertaken && (isTooSoon || !mayBeMore)) return claimer.resolve(undefined)
    if (++claimer.attempts >= this.#maxAttempts) return claimer.reject(new Error(`others were faster ${this.#maxAttempts} times in a row`))
    this.#waiting.push(claimer)
  }

  #inTime<T>(work: Promise<T>): Promise<T> {
    return withTimeLimit(work, this.#limitMs, 'an answer of MongoDB')
  }
}
