/**
 * What this process asks of one document happens in the order in which it was asked, as in the embedded store, and does
 * not contend with itself: only other processes can still come first.
 */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs when whatever was asked of the same document before is over. */
  take<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(id)
    const done = before === undefined ? work() : before.then(work, work)
    this.#last.set(id, done)
    const leave = (): void => {
      if (this.#last.get(id) === done) this.#last.delete(id)
    }
    done.then(leave, leave)
    return done
  }
}
