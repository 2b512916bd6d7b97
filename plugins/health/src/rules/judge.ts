import { type AlertState, decideAlert } from '@gateway/sdk/alerting'
import type { Report, State } from '../schema.ts'

const SEVERITY = { healthy: 0, degraded: 1, unhealthy: 2 } as const satisfies Record<Report['status'], number>

export interface HealthNotice {
  readonly check: Report['checks'][number]
  readonly say: 'raised' | 'recovered'
}

/** Changes that a report makes to people's belief, and the new state of each check. A removed check is dropped. */
export function judge(
  tracked: State['tracked'],
  report: Report,
  windowMinutes: number,
): { tracked: Record<string, AlertState>; notices: HealthNotice[] } {
  const after: Record<string, AlertState> = {}
  const notices: HealthNotice[] = []
  const at = new Date(report.checkedAt)
  for (const check of report.checks) {
    const known = Object.hasOwn(tracked, check.name) ? tracked[check.name] : undefined
    const { state, say } = decideAlert(known, SEVERITY[check.status], at, windowMinutes)
    if (state) after[check.name] = state
    if (say) notices.push({ check, say })
  }
  return { tracked: after, notices }
}
