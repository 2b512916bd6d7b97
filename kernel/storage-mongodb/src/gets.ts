import { withTimeLimit } from '@gateway/sdk/bounds'

/** Reads under way at one time; further gets wait, and are read together. */
const MAX_UNDER_WAY = 4
/** A MongoDB cursor returns this many in its first answer. */
const MAX_TOGETHER = 100

interface Waiter<Doc> {
  readonly resolve: (doc: Doc | undefined) => void
  readonly reject: (error: unknown) => void
}

/**
 * Gets of one collection by id, so that a hundred calls that look at the same few documents do not cost a query each. Every get is
 * answered by a read that began after it came.
 */
export class Gets<Doc extends object> {
  readonly #read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Doc>>
  /** Longest wait for an answer: without it lost answers would block the collection for good. */
  readonly #limitMs: number
  readonly #waiting = new Map<string, Waiter<Doc>[]>()
  #underWay = 0

  constructor(read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Doc>>, limitMs: number) {
    this.#read = read
    this.#limitMs = limitMs
  }

  get(id: string): Promise<Doc | undefined> {
    return new Promise((resolve, reject) => {
      const waiters = this.#waiting.get(id)
      if (waiters) waiters.push({ resolve, reject })
      else this.#waiting.set(id, [{ resolve, reject }])
      if (this.#underWay < MAX_UNDER_WAY) void this.#next()
    })
  }

  async #next(): Promise<void> {
    const asked = [...this.#waiting].slice(0, MAX_TOGETHER)
    for (const [id] of asked) this.#waiting.delete(id)
    this.#underWay++
    try {
      const read = this.#read(asked.map(([id]) => id))
      const found = await withTimeLimit(read, this.#limitMs, 'an answer of MongoDB')
      for (const [id, waiters] of asked) answer(waiters, found.get(id))
    } catch (error) {
      for (const [, waiters] of asked) for (const { reject } of waiters) reject(error)
    }
    this.#underWay--
    if (this.#waiting.size > 0 && this.#underWay < MAX_UNDER_WAY) void this.#next()
  }
}

/** Each caller gets a document of its own, which it may change. */
function answer<Doc extends object>(waiters: readonly Waiter<Doc>[], doc: Doc | undefined): void {
  for (const [n, { resolve }] of waiters.entries()) resolve(n === 0 ? doc : structuredClone(doc))
}
