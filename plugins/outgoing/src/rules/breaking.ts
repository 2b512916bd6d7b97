import { isToolError } from '@gateway/sdk'
import type { BreakerOutcome } from '@gateway/sdk/bounds'
import type { Reach } from '../api.ts'

/** Breaker key: per origin, and per tenant where tenants choose it, so that none closes it to another. */
export const breakerKey = (reach: Reach, origin: string, tenantId: string): string =>
  reach === 'operator' ? origin : `${origin} ${tenantId}`

/** Failures that say nothing about the other side. */
const OF_THE_CALL: ReadonlySet<unknown> = new Set(['address', 'encoding', 'too_large'])

/** Outcome for the breaker: a 4xx proves that the server is up. */
export function outcomeOf(ending: 'complete' | 'left' | Error, status: number | undefined): BreakerOutcome {
  if (isToolError(ending)) return OF_THE_CALL.has((ending.details as { reason?: unknown }).reason) ? 'unknown' : 'failed'
  if (status === undefined) return 'unknown'
  return status >= 500 ? 'failed' : 'worked'
}
