import { BoundedMap } from '@gateway/sdk/bounds'
import type { Clock } from '../clock.ts'

/** How exactly it is known when a key was last used: what each use costs must not be a write. */
const INTERVAL_MS = 60_000
/** Keys that are kept in mind; the one that was noted longest ago goes first, and its next use is written again. */
const MAX_KEYS = 10_000

/** When each key was used last, written at most once a minute and key, beside the calls. */
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
    // When it fails, the next minute’s use is written.
    const write = this.#write(keyId, new Date(now).toISOString())
      .catch(this.#failed)
      .finally(() => this.#writing.delete(write))
    this.#writing.add(write)
  }

  /** What was noted is in the store. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing)
  }
}
