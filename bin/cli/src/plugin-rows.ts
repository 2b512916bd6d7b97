import type { PluginReport } from '@gateway/kernel'
import type { OutputRow, OutputTone } from '@gateway/sdk/command'

const TONES: Readonly<Record<PluginReport['outcome'], OutputTone>> = { started: 'good', off: 'quiet', failed: 'bad' }

export function pluginRows(reports: readonly PluginReport[]): readonly OutputRow[] {
  return reports.map(({ id, outcome, tools, milliseconds, error }) => [
    id,
    { text: outcome, tone: TONES[outcome] },
    outcome === 'started' ? String(tools) : '',
    outcome === 'started' ? `${milliseconds} ms` : (error ?? ''),
  ])
}
