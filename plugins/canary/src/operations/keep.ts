import { alertRaised, gatewayWide, type Resolved } from '@gateway/sdk'
import { decideAlert } from '@gateway/sdk/alerting'
import { states } from '../collections.ts'
import { config } from '../config.ts'
import { severityOf } from '../rules/verdict.ts'
import type { Run } from '../schema.ts'

export const keeping = { states: gatewayWide(states), alerts: alertRaised, config }
type Refs = Resolved<typeof keeping>

export const STATE = 'canary'

/** Keeps a run, and raises an alert for a failing or slow stage, or for a recovery. */
export async function keepRun({ states, alerts, config }: Refs, run: Run): Promise<void> {
  const before = await states.get(STATE)
  const runs = [run, ...(before?.runs ?? [])].slice(0, config.historyLimit)
  // A run that could not go through says nothing, neither about a fault nor about its end.
  const { say, state } =
    run.status === 'skipped'
      ? { state: before?.told, say: undefined }
      : decideAlert(before?.told, severityOf(run.status), new Date(run.startedAt), config.cooldownMinutes)
  const change = state ? { set: { runs, told: state } } : { set: { runs }, unset: ['told'] as const }
  await states.writable().upsert({ stateId: STATE, runs, ...(state && { told: state }) }, change)
  if (say === 'recovered') alerts.emit({ level: 'info', source: 'canary', title: 'The synthetic run passes again', message: stagesOf(run) })
  if (say !== 'raised') return
  const [level, what] = run.status === 'fail' ? (['error', 'fails'] as const) : (['warning', 'is slow'] as const)
  alerts.emit({ level, source: 'canary', title: `The synthetic run ${what}`, message: stagesOf(run) })
}

function stagesOf({ stages }: Run): string {
  const line = ({ stage, status, latencyMs, budgetMs, error }: Run['stages'][number]): string =>
    [
      `${stage}: ${status}`,
      ...(latencyMs === undefined ? [] : [`${latencyMs} of ${budgetMs} ms`]),
      ...(error === undefined ? [] : [error]),
    ].join(', ')
  return stages.map(line).join('\n')
}
