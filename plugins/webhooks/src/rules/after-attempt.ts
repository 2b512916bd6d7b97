import { HOUR_MS } from '@gateway/sdk'
import type { Attempt, StoredDelivery, StoredWebhook } from '../schema.ts'
import { backoff } from './backoff.ts'

/** Failures after which a delivery lets later ones pass: one that its receiver cannot handle must not block others. */
export const HOLDS_LINE = 5
const KEPT_ATTEMPTS = 10

export interface Attempted extends Attempt {
  readonly delivered: boolean
  /** The receiver is gone for good. */
  readonly gone?: boolean
  /** Seconds that it asks to be left alone. */
  readonly retryAfter?: number
}

export interface Next {
  readonly fate: 'delivered' | 'in-line' | 'apart' | 'given-up'
  /** Time of the next try for a delivery apart from the line. */
  readonly retryAt?: string
  readonly attempts: number
  readonly lastAttempts: readonly Attempt[]
  readonly firstFailedAt?: string
  /** Consecutive failed attempts of the webhook, and their start. */
  readonly failures: number
  readonly failingSince?: string
  /** Seconds until the line continues. */
  readonly cooldownSeconds: number
  readonly disable?: 'unreachable' | 'gone'
}

/**
 * Decides after an attempt at `now`. During an outage the line waits behind its head, with one attempt at a time; a delivery is
 * given up only if it fails while others get through, because after an outage of that length the webhook itself is disabled.
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
  if (delivered) return { fate: 'delivered', attempts, lastAttempts, failures: 0, cooldownSeconds: 0 }
  const isPast = (since: string): boolean => now.getTime() - Date.parse(since) >= giveUpAfterHours * HOUR_MS
  const failures = webhook.failures + 1
  const failingSince = webhook.failingSince ?? now.toISOString()
  const firstFailedAt = delivery.firstFailedAt ?? now.toISOString()
  const failed = { attempts, lastAttempts, firstFailedAt, failures, failingSince }
  if (gone) return { ...failed, fate: 'in-line', cooldownSeconds: 0, disable: 'gone' }
  if (isPast(failingSince)) return { ...failed, fate: 'in-line', cooldownSeconds: 0, disable: 'unreachable' }
  if (isPast(firstFailedAt)) return { ...failed, fate: 'given-up', cooldownSeconds: 0 }
  if (attempts < HOLDS_LINE) return { ...failed, fate: 'in-line', cooldownSeconds: backoff(failures, retryAfter) }
  const retryAt = new Date(now.getTime() + backoff(attempts, retryAfter) * 1_000).toISOString()
  // The next delivery shows whether only this one fails: at once, unless the receiver has been failing for longer.
  const cooldownSeconds = failures <= HOLDS_LINE ? 0 : backoff(failures, retryAfter)
  return { ...failed, fate: 'apart', retryAt, cooldownSeconds }
}
