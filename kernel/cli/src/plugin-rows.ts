import type { PluginReport } from '@gateway/kernel'
import type { Row, Tone } from './output.ts'

const TONES: Readonly<Record<PluginReport['outcome'], Tone>> = { started: 'good', off: 'quiet', failed: 'bad' }

/** How each plugin’s start went: id, outcome, tools, time. */
export function pluginRows(reports: readonly PluginReport[]): readonly Row[] {
  return reports.map(({ id, outcome, tools, milliseconds, error }) => [
    id,
    { text: outcome, tone: TONES[outcome] },
    outcome === 'started' ? String(tools) : '',
    outcome === 'started' ? `${milliseconds} ms` : (error ?? ''),
  ])
}
