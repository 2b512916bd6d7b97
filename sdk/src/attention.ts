import type { Capability } from './context.ts'
import { defineContribution } from './contribution.ts'

/** One thing that waits for a person. */
export interface AttentionItem {
  /** Stable while it waits; unique among those of its kind. */
  readonly id: string
  readonly title: string
  readonly text?: string
  /** `info` waits, `warn` holds something up, `bad` has stopped. */
  readonly tone: 'info' | 'warn' | 'bad'
  /** Since when: ISO 8601. */
  readonly at: string
  /** Of things that this one stands for. Default 1. */
  readonly count?: number
  /** The page where it is dealt with, as it is declared: `/tasks/:taskId`, with what stands for its parameters. */
  readonly link?: { readonly to: string; readonly with?: Readonly<Record<string, string>> }
}

/** Things of one kind that wait for a person, in the caller’s tenant. */
export interface AttentionSource {
  /** kebab-case: `dead-letter`. */
  readonly kind: string
  /** Who is told: whoever holds what it takes to deal with it. */
  readonly capability: Capability
  /**
   * The newest of them, at most `limit`, and how many there are: all, or as many as were counted at a bounded price. It is asked often:
   * each look must be answered by an index.
   */
  look(limit: number): Promise<{ readonly count: number; readonly items: readonly AttentionItem[] }>
}
/** Have what waits for a person shown in the one queue of the dashboard. */
export const attentionSource = defineContribution<AttentionSource>('gateway.attention')
