import { defineContribution, defineService } from '@gateway/sdk'
import type { Counted, Feature, Monthly } from './rules/plans.ts'
import type { Entitlements as Snapshot } from './schema.ts'

export { NotEntitled, PlanLimitReached } from './errors.ts'
export type { Counted, Feature, Monthly } from './rules/plans.ts'

/** What the caller’s tenant may have. A tool that asks lists the errors that it may be refused with. */
export interface Entitlements {
  /** The whole of it. */
  snapshot(): Promise<Snapshot>
  has(feature: Feature): Promise<boolean>
  /** Throws NOT_ENTITLED. Asked before anything is done. */
  require(feature: Feature): Promise<void>
  /**
   * Throws PLAN_LIMIT_REACHED unless so many more fit beside what is there. It holds nothing: of callers side by side each may be let
   * through.
   */
  requireRoom(limit: Counted, more?: number): Promise<void>
  /** The same for a family that counts inside its own transaction, so that callers side by side do not exceed it: asked before it begins. */
  bound(limit: Counted): Promise<PlanBound>
  /** Takes from what the plan has in this month, or throws PLAN_LIMIT_REACHED and takes nothing. Of callers side by side none exceeds it. */
  consume(limit: Monthly, amount: number): Promise<void>
  /** Counts what has been used up already, also beyond what the plan has: what was begun within it is let end. */
  count(limit: Monthly, amount: number): Promise<void>
  /** Gives back what was taken in this month for something that did not come about. */
  giveBack(limit: Monthly, amount: number): Promise<void>
}
export interface PlanBound {
  /** null: as much as one likes. */
  readonly allowed: number | null
  /** Throws PLAN_LIMIT_REACHED unless so many more fit beside what is there. */
  check(used: number, more?: number): void
}
export const entitlements = defineService<Entitlements>('entitlements.plan')

/** For the family that knows how many there are. Several that count the same add up. */
export interface CountedUse {
  readonly limit: Counted
  used(): Promise<number>
}
export const countedUse = defineContribution<CountedUse>('entitlements.counted-use')
