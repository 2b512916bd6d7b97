import { isToolError } from '@gateway/sdk'
import type { BreakerOutcome } from '@gateway/sdk/bounds'
import type { Reach } from '../api.ts'

/** What fails together: an origin; where tenants name it, for each by itself, so that none closes it to another. */
export const breakerKey = (reach: Reach, origin: string, tenantId: string): string =>
  reach === 'operator' ? origin : `${origin} ${tenantId}`

/** Failures that say nothing of whether the other side works. */
const OF_THE_CALL: ReadonlySet<unknown> = new Set(['address', 'encoding', 'too_large'])

/** What an exchange taught of the one who was called. A refusal of its own (4xx) says that it lives. */
export function outcomeOf(ending: 'complete' | 'left' | Error, status: number | undefined): BreakerOutcome {
  if (isToolError(ending)) return OF_THE_CALL.has((ending.details as { reason?: unknown }).reason) ? 'unknown' : 'failed'
  if (status === undefined) return 'unknown'
  return status >= 500 ? 'failed' : 'worked'
}
