import type { Clock } from '@gateway/kernel'
import { BoundedMap } from '@gateway/sdk/bounds'

/** Precision of `lastUsedAt`: recording a use must not cost a write per call. */
const INTERVAL_MS = 60_000
/** Capacity of the cache of recent uses. The oldest entry is evicted, and its next use is written again. */
const MAX_KEYS = 10_000

/** Records the last use of each key in the background, at most once a minute per key. */
export class KeyUses {
  readonly #clock: Clock
  readonly #write: (keyId: string, at: string) => Promise<unknown>
  readonly #failed: (error: unknown) => void
  readonly #written = new BoundedMap<string, number>(MAX_KEYS)
  readonly #writing = new Set<Promise<unknown>>()

  constructor(clock: Clock, write: (keyId: string, at: string) => Promise<unknown>, failed: (error: unknown) => void) {
    this.#clock = clock
    this.#write = write
    this.#failed = failed
  }

  note(keyId: string): void {
    const now = this.#clock.now()
    const before = this.#written.get(keyId)
    if (before !== undefined && now - before < INTERVAL_MS) return
    this.#written.set(keyId, now)
    // If the write fails, the use in the next minute is written.
    const write = this.#write(keyId, new Date(now).toISOString())
      .catch(this.#failed)
      .finally(() => this.#writing.delete(write))
    this.#writing.add(write)
  }

  /** Waits until all recorded uses are in the store. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing)
  }
}
