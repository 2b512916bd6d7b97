/**
 * A map of at most so many entries: one that is set becomes its newest, and beyond the bound the oldest goes. `refresh` makes one
 * that is read its newest too, so that what is used stays.
 */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly max: number
  readonly #evicted: ((value: V, key: K) => void) | undefined

  /** `evicted` hears of each entry that goes because of the bound. */
  constructor(max: number, evicted?: (value: V, key: K) => void) {
    super()
    this.max = max
    this.#evicted = evicted
  }

  override set(key: K, value: V): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > this.max) this.#evictOldest()
    return this
  }

  /** The value of `key`, which is its newest entry from now on. */
  refresh(key: K): V | undefined {
    const value = this.get(key)
    if (value === undefined) return undefined
    this.delete(key)
    super.set(key, value)
    return value
  }

  #evictOldest(): void {
    const [oldest] = this
    if (!oldest) return
    const [key, value] = oldest
    this.delete(key)
    this.#evicted?.(value, key)
  }
}
