/**
 * A map with a fixed capacity; setting a key makes it the newest, and the oldest is evicted when full. `refresh` also makes a key
 * that is read the newest, so that entries in use stay.
 */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly max: number
  readonly #evicted: ((value: V, key: K) => void) | undefined

  /** `evicted` is called for each entry that is evicted. */
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

  /** Returns the value of `key` and makes it the newest entry. */
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
