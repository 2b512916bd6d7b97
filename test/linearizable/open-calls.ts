import type { Call } from './checker.ts'

/** The calls of a history that have begun and may still be executed. */
export class OpenCalls<C extends Call<unknown>> {
  readonly #onlyReads: (call: C) => boolean
  readonly #numbers = new Map<C, number>()
  readonly #reads = new Set<C>()
  /** Changes by what they are apart from their times; of each kind, the one that has to end first stands first. */
  readonly #changes = new Map<string, readonly C[]>()
  #begun = 0

  constructor(onlyReads: (call: C) => boolean) {
    this.#onlyReads = onlyReads
  }

  get reads(): Iterable<C> {
    return this.#reads
  }

  get size(): number {
    return this.#numbers.size
  }

  add(call: C): void {
    this.#numbers.set(call, this.#begun++)
    if (this.#onlyReads(call)) this.#reads.add(call)
    else
      this.#changes.set(
        kindOf(call),
        [...(this.#changes.get(kindOf(call)) ?? []), call].sort((a, b) => endOf(a) - endOf(b)),
      )
  }

  delete(call: C): void {
    this.#numbers.delete(call)
    this.#reads.delete(call)
    const left = this.#changes.get(kindOf(call))?.filter((one) => one !== call) ?? []
    if (left.length > 0) this.#changes.set(kindOf(call), left)
    else this.#changes.delete(kindOf(call))
  }

  /** The first change of each kind that is not in `done`. */
  *changesAfter(done: ReadonlySet<C>): Iterable<C> {
    for (const calls of this.#changes.values()) {
      const first = calls.find((call) => !done.has(call))
      if (first) yield first
    }
  }

  /** Name of a set of open calls; sets with the same calls have the same name. */
  nameOf(calls: readonly C[]): string {
    return calls
      .map((call) => this.#numbers.get(call) ?? Number.NaN)
      .sort((a, b) => a - b)
      .join()
  }
}

const endOf = ({ returned, lost }: Call<unknown>): number => returned ?? lost ?? Number.POSITIVE_INFINITY

function kindOf(call: Call<unknown>): string {
  const { invoked: _invoked, returned: _returned, lost: _lost, ...rest } = call
  return JSON.stringify(rest)
}
