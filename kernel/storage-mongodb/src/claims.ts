import { withTimeLimit } from '@gateway/sdk/bounds'

/** Number of claimers that read the head of the queue together; a MongoDB cursor returns this many in its first answer. */
const MAX_TOGETHER = 64
/** Further matches that they read: if another process takes one of theirs, the next is at hand without another query. */
const SPARE = 8

export type Taken<Doc> =
  | { readonly doc: Doc }
  | { readonly error: unknown }
  /** Another process changed the document first. */
  | 'overtaken'
  /** The task may not be taken yet, by the server's clock. */
  | 'too soon'

export interface Attempt<Found, Request> {
  readonly found: Found
  readonly request: Request
}

export interface Head<Found, Request, Doc> {
  /** Returns the first matches, in order. */
  read(limit: number): Promise<readonly Found[]>
  /** Makes each attempt, of which no two have the same document, and returns their outcomes in the same order. */
  take(attempts: readonly Attempt<Found, Request>[]): Promise<readonly Taken<Doc>[]>
}

interface Claimer<Request, Doc> {
  readonly request: Request
  readonly resolve: (doc: Doc | undefined) => void
  readonly reject: (error: unknown) => void
  reads: number
  wasOvertaken: boolean
  isTooSoon: boolean
}

/**
 * Claims of one queue in this process, so that a hundred claimers do not race each other for its first document:
 *
 * 1. Waiting claimers read the head of the queue together, in a read that began after each of them came.
 * 2. Each takes another document, in the order of the queue, and all of them write together.
 * 3. A claimer overtaken by another process takes a spare, and after that waits for the next read.
 */
export class ClaimQueue<Found, Request, Doc> {
  readonly #head: Head<Found, Request, Doc>
  readonly #maxReads: number
  /** Longest wait for an answer: without it a lost answer would block the queue for good. */
  readonly #limitMs: number
  #waiting: Claimer<Request, Doc>[] = []
  #running = false

  constructor(head: Head<Found, Request, Doc>, maxReads: number, limitMs: number) {
    this.#head = head
    this.#maxReads = maxReads
    this.#limitMs = limitMs
  }

  /** The document as it was taken; undefined if no document can be taken. `onIdle` is called when nobody waits any more. */
  claim(request: Request, onIdle: () => void): Promise<Doc | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject, reads: 0, wasOvertaken: false, isTooSoon: false })
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
        await this.#takeFrom(found, together, mayBeMore)
      } catch (error) {
        for (const { reject } of together) reject(error)
      }
    }
    this.#running = false
  }

  async #takeFrom(found: Found[], together: readonly Claimer<Request, Doc>[], mayBeMore: boolean): Promise<void> {
    let open = [...together]
    while (open.length > 0 && found.length > 0) {
      const documents = found.splice(0, open.length)
      const [served, rest] = [open.slice(0, documents.length), open.slice(documents.length)]
      const attempts = documents.map((document, n) => ({ found: document, request: (served[n] as Claimer<Request, Doc>).request }))
      const outcomes = await this.#inTime(this.#head.take(attempts))
      open = [...served.filter((claimer, n) => !settle(claimer, outcomes[n] as Taken<Doc>)), ...rest]
    }
    for (const claimer of open) this.#goOn(claimer, mayBeMore)
  }

  /** For a claimer that got none of the documents that were read. */
  #goOn(claimer: Claimer<Request, Doc>, mayBeMore: boolean): void {
    const { wasOvertaken, isTooSoon } = claimer
    // A document that is due for this node and not for the server would be read again and again.
    if (!wasOvertaken && (isTooSoon || !mayBeMore)) return claimer.resolve(undefined)
    if (++claimer.reads >= this.#maxReads) return claimer.reject(new Error(`others were faster ${this.#maxReads} times in a row`))
    this.#waiting.push({ ...claimer, wasOvertaken: false, isTooSoon: false })
  }

  #inTime<T>(work: Promise<T>): Promise<T> {
    return withTimeLimit(work, this.#limitMs, 'an answer of MongoDB')
  }
}

/** Answers a claimer that took its document, or whose attempt failed; false if it has to try another. */
function settle<Request, Doc>(claimer: Claimer<Request, Doc>, outcome: Taken<Doc>): boolean {
  if (outcome === 'overtaken') claimer.wasOvertaken = true
  else if (outcome === 'too soon') claimer.isTooSoon = true
  else if ('doc' in outcome) claimer.resolve(outcome.doc)
  else claimer.reject(outcome.error)
  return typeof outcome !== 'string'
}
