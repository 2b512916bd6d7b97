/** Why a provider takes no call now, and when it may, as far as that is known. Only `breaker` is not worth waiting for. */
export interface Closed {
  readonly why: 'maintenance' | 'breaker' | 'rate_limited' | 'full'
  readonly retryAfterMs?: number
}

/** For a person. */
export const WHY_CLOSED: Readonly<Record<Closed['why'], string>> = {
  maintenance: 'it is in maintenance',
  breaker: 'it rests after failures in a row',
  rate_limited: 'its limit of calls a minute is reached',
  full: 'it has as many calls under way as it may',
}
