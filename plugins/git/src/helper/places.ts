/** Limits how much work runs at a time; the rest waits in order. */
export class Places {
  readonly #atMost: number
  #taken = 0
  readonly #waiting: (() => void)[] = []

  constructor(atMost: number) {
    this.#atMost = atMost
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken >= this.#atMost) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#taken++
    try {
      return await work()
    } finally {
      this.#taken--
      this.#waiting.shift()?.()
    }
  }
}
