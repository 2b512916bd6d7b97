/** Result of a scan: the `max` nearest ids, each with its best vector. */
export class Best {
  readonly #max: number
  readonly #scores = new Map<string, number>()
  #least = Number.NEGATIVE_INFINITY

  constructor(max: number) {
    this.#max = max
  }

  get least(): number {
    return this.#least
  }

  add(id: string, score: number): void {
    if (score <= (this.#scores.get(id) ?? this.#least)) return
    this.#scores.set(id, score)
    // Sorts seldom: only at twice the capacity.
    if (this.#scores.size >= this.#max * 2) this.#cut()
  }

  get all(): ReadonlyMap<string, number> {
    this.#cut()
    return this.#scores
  }

  #cut(): void {
    const sorted = [...this.#scores].sort((a, b) => b[1] - a[1])
    for (const [id] of sorted.slice(this.#max)) this.#scores.delete(id)
    if (sorted.length >= this.#max) this.#least = (sorted[this.#max - 1] as [string, number])[1]
  }
}
