import type { HealthFinding } from '@gateway/sdk'

/** State of the scheduler, from the last start of its regular job; right after a start it has not run yet. */
export function schedulerFinding(
  now: Date,
  since: { readonly startedAt: Date; readonly scheduledAt?: string | undefined },
  intervalSeconds: number,
): HealthFinding {
  const last = Math.max(since.startedAt.getTime(), since.scheduledAt === undefined ? 0 : Date.parse(since.scheduledAt))
  const quietSeconds = Math.max(0, Math.round((now.getTime() - last) / 1_000))
  if (quietSeconds <= 3 * intervalSeconds) return { status: 'healthy' }
  return { status: 'degraded', quietSeconds, error: `no job has begun for ${quietSeconds} s` }
}
