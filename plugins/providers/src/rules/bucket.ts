/** Seconds whose worth may be taken at once. */
const BURST_SECONDS = 10

/** A token bucket for calls per minute, on the caller’s clock. A clock that is set back fills nothing and takes nothing away. */
export class Bucket {
  readonly capacity: number
  readonly #perMs: number
  #tokens: number
  #at = Number.NEGATIVE_INFINITY

  constructor(perMinute: number) {
    this.capacity = Math.max(1, Math.ceil((perMinute / 60) * BURST_SECONDS))
    this.#perMs = perMinute / 60_000
    this.#tokens = this.capacity
  }

  /** Number of whole calls that may be made now. */
  tokens(now: number): number {
    this.#fill(now)
    return Math.floor(this.#tokens)
  }

  take(now: number): boolean {
    if (this.tokens(now) < 1) return false
    this.#tokens -= 1
    return true
  }

  #fill(now: number): void {
    if (now > this.#at && Number.isFinite(this.#at)) {
      this.#tokens = Math.min(this.capacity, this.#tokens + (now - this.#at) * this.#perMs)
    }
    this.#at = now
  }
}
