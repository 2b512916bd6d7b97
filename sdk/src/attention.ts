import type { Capability } from './context.ts'
import { defineContribution } from './contribution.ts'
import type { Action } from './page/action.ts'

/** An item that waits for a person. */
export interface AttentionItem {
  /** Stable while the item waits, and unique within its kind. */
  readonly id: string
  readonly title: string
  readonly text?: string
  /** `info` waits, `warn` delays something, `bad` has stopped. */
  readonly tone: 'info' | 'warn' | 'bad'
  /** Time since when it waits: ISO 8601. */
  readonly at: string
  /** Number of things that this item represents. Default 1. */
  readonly count?: number
  /** The page for acting on it, as declared (`/tasks/:taskId`), with the values of its parameters. */
  readonly link?: { readonly to: string; readonly with?: Readonly<Record<string, string>> }
}

/** Items of one kind that wait for a person, in the caller's tenant. */
export interface AttentionSource {
  /** kebab-case: `dead-letter`. */
  readonly kind: string
  /** Capability that is needed to act on the item; only its holders see it. */
  readonly capability: Capability
  /** Buttons of each item; their rows are `AttentionItem`, so an argument is `arg.row('/id')`. */
  readonly actions?: readonly Action<unknown>[]
  /**
   * Seconds an item may wait before an alert is raised; 0 alerts at once. Not set: only items with the tone `bad` raise one, at
   * once.
   */
  readonly alertAfterSeconds?: number
  /**
   * Tenants in which alerts are raised: `local` for items about the gateway itself, which every tenant sees, and `none` for a
   * source that raises its own. Default: every tenant.
   */
  readonly alertIn?: 'local' | 'none'
  /**
   * Returns the newest items, at most `limit`, and their number: all, or as many as were counted at a bounded cost. It is called
   * often, so an index must answer each call.
   */
  look(limit: number): Promise<{ readonly count: number; readonly items: readonly AttentionItem[] }>
}
/** Contributes items to the attention queue of the dashboard. */
export const attentionSource = defineContribution<AttentionSource>('gateway.attention')
