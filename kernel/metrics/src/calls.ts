import { type CallRecord, isSynthetic } from '@gateway/sdk'
import type { Metrics } from './metrics.ts'
import { calls, jobDuration, refusals, toolDuration } from './own.ts'

/** A tenant's tool may have any name. */
const OTHER = '_OTHER'
const JOB = 'job '
const REFUSED: ReadonlySet<number> = new Set([401, 403, 429, 503])

/** Counts every call and run when it ends; those of synthetic tenants are not counted. */
export function callMeter(metrics: Metrics, isTool: (name: string) => boolean): (call: CallRecord) => void {
  const durations = metrics.of(toolDuration)
  const counted = metrics.of(calls)
  const refused = metrics.of(refusals)
  const jobs = metrics.of(jobDuration)
  return ({ tool, kind, via, outcome, status = 0, durationMs, tenantId }) => {
    if (isSynthetic(tenantId)) return
    const error = outcome === 'ok' ? '' : outcome
    if (kind === 'run') {
      if (tool.startsWith(JOB)) jobs.observe(durationMs / 1_000, tool.slice(JOB.length), error)
      return
    }
    counted.add(1, kind, via, error, tenantId)
    if (kind === 'tool') durations.observe(durationMs / 1_000, isTool(tool) ? tool : OTHER, error)
    if (REFUSED.has(status)) refused.add(1, outcome)
  }
}
