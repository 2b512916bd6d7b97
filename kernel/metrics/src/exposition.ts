import type { MetricSeries, MetricSnapshot, MetricSpec } from '@gateway/sdk'

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

const UNITS: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes', USD: '_usd' }

const spelled = (name: string): string => name.replaceAll('.', '_')

/** Prometheus's spelling of a name: underscores, the unit, and `_total` for counters. */
export function prometheusName({ name, unit, kind }: Pick<MetricSpec, 'name' | 'unit' | 'kind'>): string {
  const suffix = kind === 'gauge' && unit === '1' ? '_ratio' : (UNITS[unit] ?? '')
  const base = spelled(name)
  const named = base.endsWith(suffix) ? base : base + suffix
  return kind === 'counter' ? `${named}_total` : named
}

/** Every metric with its series; one without series has only its help line. */
export function exposition(metrics: readonly MetricSnapshot[]): string {
  const lines: string[] = []
  for (const metric of metrics) {
    const name = prometheusName(metric)
    lines.push(`# HELP ${name} ${metric.description.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`, `# TYPE ${name} ${metric.kind}`)
    for (const series of metric.series) {
      const labels = labelText(series.labels)
      if (metric.kind === 'histogram') histogramLines(lines, name, labels, metric.buckets, series)
      else lines.push(`${name}${labels === '' ? '' : `{${labels}}`} ${number(series.value)}`)
    }
  }
  return `${lines.join('\n')}\n`
}

function histogramLines(
  lines: string[],
  name: string,
  labels: string,
  buckets: readonly number[],
  { value, counts = [] }: MetricSeries,
): void {
  const before = labels === '' ? '' : `${labels},`
  let upTo = 0
  for (const [at, bound] of buckets.entries()) {
    upTo += counts[at] ?? 0
    lines.push(`${name}_bucket{${before}le="${number(bound)}"} ${upTo}`)
  }
  upTo += counts[buckets.length] ?? 0
  const of = labels === '' ? '' : `{${labels}}`
  lines.push(`${name}_bucket{${before}le="+Inf"} ${upTo}`, `${name}_sum${of} ${number(value)}`, `${name}_count${of} ${upTo}`)
}

function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${spelled(name)}="${escaped(value)}"`)
    .join(',')
}

const escaped = (value: string): string =>
  /[\\"\n]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value

function number(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}
