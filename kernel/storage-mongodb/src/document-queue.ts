import { withTimeLimit } from '@gateway/sdk/bounds'

/**
 * Operations of this process on one document run in the order in which they were requested, as in the embedded store, and do
 * not contend with each other: only other processes can still come first.
 */
export class DocumentQueue {
  /** An operation whose answer does not come is given up after this; otherwise those behind it would wait for good. */
  readonly #limitMs: number
  readonly #last = new Map<string, Promise<unknown>>()

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /** Runs after every earlier operation on the same document. */
  take<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(id)
    const limited = (): Promise<T> => withTimeLimit(work(), this.#limitMs, 'an answer of MongoDB')
    const done = before === undefined ? limited() : before.then(limited, limited)
    this.#last.set(id, done)
    const leave = (): void => {
      if (this.#last.get(id) === done) this.#last.delete(id)
    }
    done.then(leave, leave)
    return done
  }
}
