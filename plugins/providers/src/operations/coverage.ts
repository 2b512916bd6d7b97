import type { CoveredSpend, Reservation } from '../api.ts'

/** A record exceeds the answer at the time of its writing by a half, so that it is written a few times. */
const GROWTH = 1.5
/** Share of the record from which the next one is written, so that the answer seldom waits for it. */
const EXTEND_AT = 0.9

/** Keeps the recorded cost of a running call ahead of its answer. */
export class Coverage {
  readonly #reservation: Reservation
  readonly #most: number
  readonly #usageAt: (outputTokens: number) => CoveredSpend
  #covered: number
  #extending: Promise<void> | undefined

  constructor(reservation: Reservation, first: CoveredSpend, most: number, usageAt: (outputTokens: number) => CoveredSpend) {
    this.#reservation = reservation
    this.#covered = reservation.cover ? first.outputTokens : Infinity
    this.#most = most
    this.#usageAt = usageAt
  }

  /** Resolves when the record covers this many tokens of the answer; undefined if it does. */
  reach(tokens: number): Promise<void> | undefined {
    const isLast = this.#covered === this.#most
    if (tokens > this.#covered || (!isLast && tokens > this.#covered * EXTEND_AT)) void this.#extend(tokens)
    return tokens > this.#covered ? this.#wait(tokens) : undefined
  }

  async #wait(tokens: number): Promise<void> {
    while (tokens > this.#covered) await this.#extend(tokens)
  }

  #extend(tokens: number): Promise<void> {
    if (this.#extending) return this.#extending
    const grown = Math.ceil(tokens * GROWTH)
    // An answer above its limit, such as one whose tokens are estimated too high, grows on as before.
    const wanted = tokens > this.#most ? grown : Math.min(this.#most, grown)
    const extending = (async () => {
      await this.#reservation.cover?.(this.#usageAt(wanted))
      this.#covered = wanted
    })()
    this.#extending = extending.finally(() => (this.#extending = undefined))
    // A record that fails ahead of its time is tried again when the answer reaches it.
    this.#extending.catch(() => undefined)
    return this.#extending
  }
}
