import type { AuditEntry, AuditTrail, Clock, Refusals } from '@gateway/kernel'
import { BoundedMap, isWindowOpen } from '@gateway/sdk/bounds'

const WINDOW_MS = 60_000
/** Capacity of the table of counted callers; the one counted longest is written first. */
const MAX_COUNTED = 10_000

interface Counted {
  readonly tenantId: string
  readonly until: number
  /** Refusals since the written one. */
  times: number
  last: AuditEntry | undefined
}

/**
 * Limits refusals in the audit trail: the first of a kind is written at once, and those of the following minute as one record
 * with their number as `times`. A caller without rights cannot fill the disk.
 */
export class CountedRefusals implements Refusals {
  readonly #audit: Pick<AuditTrail, 'append'>
  readonly #clock: Clock
  readonly #failed: (error: unknown) => void
  readonly #counted = new BoundedMap<string, Counted>(MAX_COUNTED, (oldest, kind) => void this.#write(kind, oldest))
  readonly #timer: NodeJS.Timeout

  constructor(audit: Pick<AuditTrail, 'append'>, clock: Clock, failed: (error: unknown) => void) {
    this.#audit = audit
    this.#clock = clock
    this.#failed = failed
    this.#timer = setInterval(() => this.sweep(), WINDOW_MS / 4).unref()
  }

  /**
   * True for the first of its kind, which the caller of this method writes; later ones are counted here. `entry` is built for
   * the second of a minute and represents all that follow.
   */
  isFirst(kind: string, tenantId: string, entry: () => AuditEntry): boolean {
    const now = this.#clock.now()
    const known = this.#counted.get(kind)
    if (known !== undefined && isWindowOpen(known.until, now, WINDOW_MS)) {
      known.times++
      // Built once a minute, so that the cost does not grow with the refusals.
      known.last ??= entry()
      return false
    }
    if (known !== undefined) void this.#write(kind, known)
    this.#counted.set(kind, { tenantId, until: now + WINDOW_MS, times: 0, last: undefined })
    return true
  }

  /** Writes the counts of past minutes. */
  sweep(): void {
    const now = this.#clock.now()
    for (const [kind, counted] of this.#counted) if (!isWindowOpen(counted.until, now, WINDOW_MS)) void this.#write(kind, counted)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([...this.#counted].map(([kind, counted]) => this.#write(kind, counted)))
  }

  async #write(kind: string, { tenantId, times, last }: Counted): Promise<void> {
    this.#counted.delete(kind)
    if (last === undefined) return
    try {
      await this.#audit.append(tenantId, [{ ...last, details: { ...last.details, times } }])
    } catch (error) {
      this.#failed(error)
    }
  }
}
