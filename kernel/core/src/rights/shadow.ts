import type { Capability, Principal, ShadowEntry, ShadowReport } from '@gateway/sdk'
import type { Clock } from '../clock.ts'
import { leastRole } from './may.ts'

/** Maximum number of kinds of call that are listed; others are only counted, so that the table is bounded. */
const MAX_ENTRIES = 10_000

/** Counts the calls that enforcement would have refused, so that an operator can judge the effect before switching it on. */
export class ShadowCounter implements ShadowReport {
  readonly enforced: boolean
  dropped = 0
  readonly #clock: Clock
  readonly #entries = new Map<string, ShadowEntry>()

  constructor(enforced: boolean, clock: Clock) {
    this.enforced = enforced
    this.#clock = clock
  }

  count({ tenantId, id, role, label }: Principal, operation: string, capability: Capability): void {
    const key = `${tenantId}\n${id}\n${role}\n${operation}\n${capability}`
    const lastAt = new Date(this.#clock.now()).toISOString()
    const known = this.#entries.get(key)
    if (!known && this.#entries.size >= MAX_ENTRIES) {
      this.dropped++
      return
    }
    const entry = known ?? {
      tenantId,
      principal: id,
      ...(label !== undefined && { label }),
      role,
      operation,
      capability,
      leastRole: leastRole(capability),
      count: 0,
      firstAt: lastAt,
      lastAt,
    }
    this.#entries.set(key, { ...entry, count: entry.count + 1, lastAt })
  }

  forget(tenantId: string): void {
    for (const [key, entry] of this.#entries) if (entry.tenantId === tenantId) this.#entries.delete(key)
  }

  entries(): readonly ShadowEntry[] {
    return [...this.#entries.values()].sort((a, b) => b.count - a.count)
  }
}
