import type { CoveredSpend, PlannedSpend, Reservation, Spend } from '@gateway/plugin-providers/api'
import type { CallContext, Resolved } from '@gateway/sdk'
import { spent } from '../metrics.ts'
import { nanosOf } from '../rules/money.ts'
import type { Scope } from '../rules/scope.ts'
import { checkRunning, runningUses } from './check-running.ts'
import { progressUses, recordProgress, renew } from './record-progress.ts'
import { release } from './release.ts'
import { keepOnly, reserve, reserveUses } from './reserve.ts'
import { settle, settleUses } from './settle.ts'

export const heldUses = { ...reserveUses, ...settleUses, ...runningUses, ...progressUses, spent }
type Refs = Resolved<typeof heldUses>

/** A reservation is renewed when this share of its life is over. */
const RENEW_AT = 0.4

/**
 * The money of one running call. A call to which no cap applies holds nothing, and is kept from the first check on, so that a short one
 * costs no write.
 */
export class HeldCall implements Reservation {
  readonly #refs: Refs
  readonly #planned: PlannedSpend
  readonly #scope: Scope
  readonly #ctx: CallContext
  #meterIds: readonly string[] = []
  #kept = false
  #renewedAt = 0
  #ended = false
  /** Writes of one call follow each other: a late one would bring a settled reservation back. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(refs: Refs, planned: PlannedSpend, scope: Scope, ctx: CallContext) {
    this.#refs = refs
    this.#planned = planned
    this.#scope = scope
    this.#ctx = ctx
  }

  /** Throws BUDGET_EXCEEDED if a cap has no room. */
  async hold(): Promise<void> {
    const { callId, covered } = this.#planned
    const { recorded } = this.#refs.running
    try {
      await reserve(this.#refs, this.#planned, this.#scope, (meterIds) => {
        this.#meterIds = meterIds
        recorded.update(callId, this.#inTenant(), nanosOf(covered.costUsd))
      })
    } catch (error) {
      recorded.end(callId)
      throw error
    }
    this.#markKept()
  }

  async settle(paid: Spend): Promise<void> {
    this.#end()
    await this.#last
    await settle(this.#refs, paid, this.#scope)
    this.#refs.running.recorded.end(paid.callId)
    this.#refs.spent.add(paid.costUsd, paid.provider)
  }

  async check(costUsd: number): Promise<void> {
    await this.#write(async () => {
      if (!this.#kept) await keepOnly(this.#refs, this.#planned, this.#scope)
      else if (this.#age() > this.#refs.config.reservationMinutes * 60_000 * RENEW_AT) await renew(this.#refs, this.#planned.callId)
      else return
      this.#markKept()
    })
    // A check that was under way when its call ended leaves no cost behind.
    if (!this.#ended) await checkRunning(this.#refs, { callId: this.#planned.callId, costUsd }, this.#scope, this.#ctx)
  }

  async cover(covered: CoveredSpend): Promise<void> {
    const { callId } = this.#planned
    await this.#write(async () => {
      // Before the write: the cost must not be taken for one of another node in between.
      this.#refs.running.recorded.update(callId, this.#inTenant(), nanosOf(covered.costUsd))
      if (!this.#kept) await keepOnly(this.#refs, { ...this.#planned, covered }, this.#scope)
      else await recordProgress(this.#refs, callId, covered)
      this.#markKept()
    })
  }

  /** A reservation that cannot be released now is charged by estimate when it expires. */
  async release(): Promise<void> {
    const { callId } = this.#planned
    this.#end()
    try {
      await this.#last
      if (this.#kept) await this.#refs.atomically((tx) => release(this.#refs, callId, tx))
    } catch (error) {
      this.#ctx.log.warn('a reservation could not be released', { err: error, callId })
    }
    this.#refs.running.recorded.end(callId)
  }

  #write(write: () => Promise<void>): Promise<void> {
    const done = this.#last.then(() => (this.#ended ? undefined : write()))
    this.#last = done.catch(() => undefined)
    return done
  }

  #end(): void {
    this.#ended = true
    this.#refs.running.costs.end(this.#planned.callId)
  }

  #markKept(): void {
    this.#kept = true
    this.#renewedAt = this.#ctx.now().getTime()
  }

  #age(): number {
    return this.#ctx.now().getTime() - this.#renewedAt
  }

  #inTenant(): readonly string[] {
    return this.#meterIds.map((meterId) => `${this.#ctx.tenantId} ${meterId}`)
  }
}
