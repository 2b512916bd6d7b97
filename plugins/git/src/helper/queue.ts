/** Runs work one at a time, with a limited backlog. */
export class Queue {
  readonly #max: number
  #waiting = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(max: number) {
    this.#max = max
  }

  get idle(): boolean {
    return this.#waiting === 0
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.#max) return Promise.reject(new Busy())
    this.#waiting++
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => {}).finally(() => this.#waiting--)
    return mine
  }
}

export class Busy extends Error {
  override readonly name = 'Busy'
}
