import type { TrailEnds } from './ends.ts'
import type { ChainPoint } from './record.ts'

const INTERVAL_MS = 10_000
const ABREAST = 50

/** Stores how far trails have come, some seconds later: one write covers what a busy trail does meanwhile. */
export class EndKeeper {
  readonly #ends: TrailEnds
  readonly #failed: (error: unknown) => void
  #reached = new Map<string, ChainPoint>()
  #timer: NodeJS.Timeout | undefined
  #telling: Promise<void> = Promise.resolve()

  constructor(ends: TrailEnds, failed: (error: unknown) => void) {
    this.#ends = ends
    this.#failed = failed
  }

  /** Called when that record is on the disk. */
  reached(tenantId: string, end: ChainPoint): void {
    this.#reached.set(tenantId, end)
    this.#timer ??= setTimeout(() => void this.tell(), INTERVAL_MS).unref()
  }

  async remove(tenantId: string): Promise<void> {
    await this.#telling
    this.#reached.delete(tenantId)
    await this.#ends.remove(tenantId)
  }

  /** Never rejects: a failed write is repeated with the next one. */
  tell(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#telling = this.#telling.then(() => this.#tellAll())
    return this.#telling
  }

  async #tellAll(): Promise<void> {
    const told = [...this.#reached]
    this.#reached = new Map()
    const at = Date.now()
    try {
      for (let from = 0; from < told.length; from += ABREAST) {
        await Promise.all(told.slice(from, from + ABREAST).map(([tenantId, end]) => this.#ends.put(tenantId, end, at)))
      }
    } catch (error) {
      for (const [tenantId, end] of told) if (!this.#reached.has(tenantId)) this.reached(tenantId, end)
      this.#failed(error)
    }
  }
}
