import { defineContribution, defineService } from '@gateway/sdk'
import type { Counted, Feature, Monthly } from './rules/plans.ts'
import type { Entitlements as Snapshot } from './schema.ts'

export { NotEntitled, PlanLimitReached } from './errors.ts'
export type { Counted, Feature, Monthly } from './rules/plans.ts'

/** Entitlements of the caller's tenant. A tool that uses it lists the errors that it may be refused with. */
export interface Entitlements {
  snapshot(): Promise<Snapshot>
  has(feature: Feature): Promise<boolean>
  /** Throws NOT_ENTITLED. Called before anything is done. */
  require(feature: Feature): Promise<void>
  /** Throws PLAN_LIMIT_REACHED unless this many more fit. It reserves nothing, so concurrent callers may all pass. */
  requireRoom(limit: Counted, more?: number): Promise<void>
  /**
   * Gives a family the bound to check in its own transaction, so that concurrent callers do not exceed it. Called before the
   * transaction.
   */
  bound(limit: Counted): Promise<PlanBound>
  /**
   * Uses up a part of the month's allowance, or throws PLAN_LIMIT_REACHED and uses nothing. Concurrent callers never exceed it.
   */
  consume(limit: Monthly, amount: number): Promise<void>
  /** Counts usage that has happened already, also beyond the plan: work that began within it may end. */
  count(limit: Monthly, amount: number): Promise<void>
  /** Returns usage of this month for something that did not happen. */
  giveBack(limit: Monthly, amount: number): Promise<void>
}
export interface PlanBound {
  /** null means unlimited. */
  readonly allowed: number | null
  /** Throws PLAN_LIMIT_REACHED unless this many more fit. */
  check(used: number, more?: number): void
}
export const entitlements = defineService<Entitlements>('entitlements.plan')

/** Contributed by the family that knows the number. Several that count the same are added. */
export interface CountedUse {
  readonly limit: Counted
  used(): Promise<number>
}
export const countedUse = defineContribution<CountedUse>('entitlements.counted-use')
