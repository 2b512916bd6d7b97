import { withTimeLimit } from '@gateway/sdk/bounds'

/**
 * What this process asks of one document happens in the order in which it was asked, as in the embedded store, and does
 * not contend with itself: only other processes can still come first.
 */
export class Turns {
  /** A turn whose answer does not come is over after this: those behind it would wait for good. */
  readonly #limitMs: number
  readonly #last = new Map<string, Promise<unknown>>()

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /** Runs when whatever was asked of the same document before is over. */
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
