import type { alertRaised, Emitter, Infer } from '@gateway/sdk'
import { type AlertState, decideAlert } from '@gateway/sdk/alerting'
import type { Breach } from '../rules/breach.ts'

type Alerts = Emitter<Infer<(typeof alertRaised)['payload']>>

/**
 * Raises alerts for routes that begin to break their objectives, and for their recovery; a route within its cooldown is skipped.
 */
export function watchBreaches(alerts: Alerts, cooldownMinutes: number): (breaches: readonly Breach[], now: Date) => void {
  const known = new Map<string, AlertState>()
  return (breaches, now) => {
    const broken = new Map(breaches.map((breach) => [breach.route, breach]))
    for (const route of new Set([...known.keys(), ...broken.keys()])) {
      const breach = broken.get(route)
      const { state, say } = decideAlert(known.get(route), breach ? 1 : 0, now, cooldownMinutes)
      if (state) known.set(route, state)
      else known.delete(route)
      if (say === 'raised' && breach)
        alerts.emit({ level: 'warning', source: 'slo', title: `${route} breaks its objectives`, message: said(breach) })
      if (say === 'recovered')
        alerts.emit({
          level: 'info',
          source: 'slo',
          title: `${route} meets its objectives again`,
          message: 'p95 and error rate are within bounds.',
        })
    }
  }
}

function said({ samples, p95, errorRatePct, objective }: Breach): string {
  const most = objective.p95Ms === undefined ? '' : ` (at most ${objective.p95Ms})`
  return `Of ${samples} calls, p95 ${p95} ms${most}, errors ${errorRatePct} % (at most ${objective.errorRatePct}).`
}
