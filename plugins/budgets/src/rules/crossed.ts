import type { Cap } from './caps.ts'
import { nanosOf } from './money.ts'

/** The line of a cap that spending passed with one call: its end, or the share from which calls go to a cheaper tier. */
export function crossed({ capUsd }: Cap, beforeNanos: number, afterNanos: number, downgradeAt: number): 'cap' | 'near' | undefined {
  const passes = (usd: number): boolean => beforeNanos < nanosOf(usd) && afterNanos >= nanosOf(usd)
  if (passes(capUsd)) return 'cap'
  return passes(capUsd * downgradeAt) ? 'near' : undefined
}
