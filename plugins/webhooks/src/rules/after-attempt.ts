import type { Attempt, StoredDelivery, StoredWebhook } from '../schema.ts'
import { backoff } from './backoff.ts'

/** A delivery that failed so often lets those behind it pass: one that its receiver chokes on holds up no other. */
export const HOLDS_LINE = 5
const KEPT_ATTEMPTS = 10
const HOUR_MS = 3_600_000

/** What one attempt came to. */
export interface Attempted extends Attempt {
  readonly delivered: boolean
  /** The receiver says that it is gone for good. */
  readonly gone?: boolean
  /** Seconds that it asks to be left alone for. */
  readonly retryAfter?: number
}

/** What is to be written of a delivery, and of its webhook. */
export interface Next {
  readonly fate: 'delivered' | 'in-line' | 'apart' | 'given-up'
  /** When one that is apart is tried again. */
  readonly retryAt?: string
  readonly attempts: number
  readonly lastAttempts: readonly Attempt[]
  readonly firstFailedAt?: string
  /** Of the webhook: attempts in a row that failed, and since when. */
  readonly failures: number
  readonly failingSince?: string
  /** Seconds until the line goes on. */
  readonly restSeconds: number
  readonly disable?: 'unreachable' | 'gone'
}

/**
 * What follows from an attempt at `now`. An outage has the line wait behind its head, with one attempt at a time; only a
 * delivery that fails while others get through is given up, since after an outage of that length the webhook itself is disabled.
 */
export function afterAttempt(
  webhook: Pick<StoredWebhook, 'failures' | 'failingSince'>,
  delivery: Pick<StoredDelivery, 'attempts' | 'lastAttempts' | 'firstFailedAt'>,
  { delivered, gone, retryAfter, ...attempt }: Attempted,
  now: Date,
  giveUpAfterHours: number,
): Next {
  const attempts = delivery.attempts + 1
  const lastAttempts = [...delivery.lastAttempts, attempt].slice(-KEPT_ATTEMPTS)
  if (delivered) return { fate: 'delivered', attempts, lastAttempts, failures: 0, restSeconds: 0 }
  const isPast = (since: string): boolean => now.getTime() - Date.parse(since) >= giveUpAfterHours * HOUR_MS
  const failures = webhook.failures + 1
  const failingSince = webhook.failingSince ?? now.toISOString()
  const firstFailedAt = delivery.firstFailedAt ?? now.toISOString()
  const failed = { attempts, lastAttempts, firstFailedAt, failures, failingSince }
  if (gone) return { ...failed, fate: 'in-line', restSeconds: 0, disable: 'gone' }
  if (isPast(failingSince)) return { ...failed, fate: 'in-line', restSeconds: 0, disable: 'unreachable' }
  if (isPast(firstFailedAt)) return { ...failed, fate: 'given-up', restSeconds: 0 }
  if (attempts < HOLDS_LINE) return { ...failed, fate: 'in-line', restSeconds: backoff(failures, retryAfter) }
  const retryAt = new Date(now.getTime() + backoff(attempts, retryAfter) * 1_000).toISOString()
  // Whether it is this delivery alone, the next one shows: at once, unless the receiver has been failing for longer.
  const restSeconds = failures <= HOLDS_LINE ? 0 : backoff(failures, retryAfter)
  return { ...failed, fate: 'apart', retryAt, restSeconds }
}
