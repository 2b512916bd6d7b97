import { mapConcurrently } from '@gateway/sdk/bounds'
import type { TrailEnds } from './ends.ts'
import type { ChainPoint } from './record.ts'

const INTERVAL_MS = 10_000
const CONCURRENCY = 50

/**
 * Stores the position of the last synced record of each trail, some seconds later, so that one write covers many records of a
 * busy trail.
 */
export class TrailHeadWriter {
  readonly #ends: TrailEnds
  readonly #failed: (error: unknown) => void
  #reached = new Map<string, ChainPoint>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(ends: TrailEnds, failed: (error: unknown) => void) {
    this.#ends = ends
    this.#failed = failed
  }

  /** Called when that record is on the disk. */
  reached(tenantId: string, end: ChainPoint): void {
    this.#reached.set(tenantId, end)
    this.#timer ??= setTimeout(() => void this.flush(), INTERVAL_MS).unref()
  }

  async remove(tenantId: string): Promise<void> {
    await this.#writing
    this.#reached.delete(tenantId)
    await this.#ends.remove(tenantId)
  }

  /** Never rejects: a failed write is repeated with the next one. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#writeHeads())
    return this.#writing
  }

  async #writeHeads(): Promise<void> {
    const pending = [...this.#reached]
    this.#reached = new Map()
    const at = Date.now()
    try {
      await mapConcurrently(pending, CONCURRENCY, ([tenantId, end]) => this.#ends.put(tenantId, end, at))
    } catch (error) {
      for (const [tenantId, end] of pending) if (!this.#reached.has(tenantId)) this.reached(tenantId, end)
      this.#failed(error)
    }
  }
}
