import type { AnyRef, MetricRef, Plugin, Uses } from '@gateway/sdk'
import { prometheusName } from './exposition.ts'

/** Prefixes from OpenTelemetry's conventions; a plugin that measures such a thing uses its standard name. */
const CONVENTIONS = ['gen_ai.', 'mcp.', 'http.', 'db.', 'messaging.', 'rpc.']

const isMetric = (ref: AnyRef): ref is MetricRef => 'metric' in ref

export function metricFaults(
  plugins: readonly Plugin[],
  usesOf: (plugin: Plugin) => Iterable<{ readonly where: string; readonly uses: Uses }>,
): (readonly [string, string])[] {
  const faults: (readonly [string, string])[] = []
  const owners = new Map<string, string>()
  for (const plugin of plugins) {
    const { id, metrics } = plugin
    const own = `gateway.${id.replaceAll('-', '_')}.`
    for (const { metric } of metrics) {
      if (!metric.name.startsWith(own) && !CONVENTIONS.some((one) => metric.name.startsWith(one)))
        faults.push([id, `metric ${metric.name}: its name must begin with ${own}`])
      const name = prometheusName(metric)
      const owner = owners.get(name)
      if (owner !== undefined) faults.push([id, `metric ${metric.name} is taken by plugin '${owner}'; rename it`])
      owners.set(name, id)
    }
    const listed = new Set<AnyRef>(metrics)
    for (const { where, uses } of usesOf(plugin))
      for (const ref of Object.values(uses))
        if (isMetric(ref) && !listed.has(ref))
          faults.push([id, `${where} uses metric ${ref.metric.name}, which it does not list in its metrics`])
  }
  return faults
}
