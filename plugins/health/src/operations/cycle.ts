import { alertRaised, type CallContext, gatewayHealth, gatewayWide, type HealthReport, type Resolved } from '@gateway/sdk'
import { states } from '../collections.ts'
import { config } from '../config.ts'
import { type HealthNotice, judge } from '../rules/judge.ts'
import type { Report, State } from '../schema.ts'

export const cycling = { health: gatewayHealth, states: gatewayWide(states), alerts: alertRaised, config }
type Refs = Resolved<typeof cycling>

export const STATE = 'health'

export interface Cycle {
  readonly report: Report
  readonly alerts: { readonly check: string; readonly say: 'raised' | 'recovered' }[]
}

/** Checks every part, keeps the findings, and raises alerts for changes. */
export async function runCycle(refs: Refs, ctx: CallContext): Promise<Cycle> {
  const report = reportOf(await refs.health.check(), ctx.now())
  const notices = await keep(refs, report)
  for (const one of notices) refs.alerts.emit(alertOf(one))
  return { report, alerts: notices.map(({ check, say }) => ({ check: check.name, say })) }
}

function reportOf({ status, parts }: HealthReport, at: Date): Report {
  const checks = Object.entries(parts).map(([name, { status, ...details }]) => ({ name, status, details }))
  return { status, checks: checks.sort((a, b) => (a.name < b.name ? -1 : 1)), checkedAt: at.toISOString() }
}

/** Alerts to raise: none if another cycle was kept meanwhile, because that one raises them. */
async function keep({ states, config }: Refs, report: Report): Promise<readonly HealthNotice[]> {
  const records = states.writable()
  const before: State = await records.upsert({ stateId: STATE, revision: 0, tracked: {} }, {})
  const { tracked, notices } = judge(before.tracked, report, config.dedupMinutes)
  // A part that became unhealthy while alerts were disabled is reported once they are enabled.
  const set = config.alertsDisabled ? { report } : { report, tracked }
  const kept = await records.updateOne(STATE, { set, inc: { revision: 1 } }, { revision: before.revision })
  return kept && !config.alertsDisabled ? notices : []
}

function alertOf({ check: { name, status, details }, say }: HealthNotice) {
  const source = `health.${name}`
  if (say === 'recovered')
    return { level: 'info', source, title: `${name} is healthy again`, message: `The check of ${name} finds it healthy.` } as const
  const said = Object.entries(details).map(([of, value]) => `${of}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const level = status === 'unhealthy' ? 'critical' : 'warning'
  return { level, source, title: `${name} is ${status}`, message: said.join('\n') || `The check of ${name} finds it ${status}.` } as const
}
