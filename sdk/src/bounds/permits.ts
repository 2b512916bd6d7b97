/** Counter that a call takes part in: per tenant, per origin, or overall. */
export interface Share {
  readonly key: string
  /** Maximum number of concurrent calls. */
  readonly atMost: number
}

/** Bulkheads: counts concurrent calls by key. Nobody waits: a call that finds a share full is refused at once. */
export class Permits {
  readonly #taken = new Map<string, number>()

  /** Takes a permit of every share, or of none; then it returns the first full share. */
  take<S extends Share>(shares: readonly S[]): S | undefined {
    const full = shares.find(({ key, atMost }) => this.taken(key) >= atMost)
    if (!full) for (const { key } of shares) this.#taken.set(key, this.taken(key) + 1)
    return full
  }

  /** Returns the permits that `take` took. */
  give(shares: readonly Share[]): void {
    for (const { key } of shares) {
      const left = this.taken(key) - 1
      if (left > 0) this.#taken.set(key, left)
      else this.#taken.delete(key)
    }
  }

  /** Number of concurrent calls of a key. */
  taken(key: string): number {
    return this.#taken.get(key) ?? 0
  }
}
