const NONE: ReadonlySet<string> = new Set()

/** Maps a key to everything that refers to it. */
export class BackMap {
  readonly #sets = new Map<string, Set<string>>()

  get(key: string): ReadonlySet<string> {
    return this.#sets.get(key) ?? NONE
  }

  add(key: string, value: string): void {
    const set = this.#sets.get(key)
    if (set) set.add(value)
    else this.#sets.set(key, new Set([value]))
  }

  delete(key: string, value: string): void {
    const set = this.#sets.get(key)
    set?.delete(value)
    if (set?.size === 0) this.#sets.delete(key)
  }
}
