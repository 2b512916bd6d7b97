/** One of the counts a call takes part in: its tenant’s, its origin’s, that of all. */
export interface Share {
  readonly key: string
  /** Calls under way at the same time. */
  readonly atMost: number
}

/** Bulkheads: how many calls are under way, by key. Nobody waits here: who finds a share full is refused at once. */
export class Permits {
  readonly #taken = new Map<string, number>()

  /** Take one of each share, or of none: then the first that is full is returned. */
  take<S extends Share>(shares: readonly S[]): S | undefined {
    const full = shares.find(({ key, atMost }) => this.taken(key) >= atMost)
    if (!full) for (const { key } of shares) this.#taken.set(key, this.taken(key) + 1)
    return full
  }

  /** Give back what `take` took. */
  give(shares: readonly Share[]): void {
    for (const { key } of shares) {
      const left = this.taken(key) - 1
      if (left > 0) this.#taken.set(key, left)
      else this.#taken.delete(key)
    }
  }

  /** Calls under way under a key. */
  taken(key: string): number {
    return this.#taken.get(key) ?? 0
  }
}
