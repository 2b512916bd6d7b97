import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { prometheusName } from '@gateway/metrics'
import { closed, definePlugin, defineTool, gatewayMetrics, type MetricSnapshot, Type } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { parse } from 'yaml'
import { root } from '../../scripts/workspaces.mjs'

const file = (name: string): string => readFileSync(join(root, 'docs/monitoring', name), 'utf8')

/** Returns names of metrics in an expression, without the suffixes of a histogram. */
function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/"[^"]*"/g, '""').replaceAll(/\bby \([^)]*\)/g, '')
  return [...bare.matchAll(/\b(?:gateway|mcp|gen_ai|http|nodejs|v8js|process)_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_(?:bucket|sum|count)$/, ''),
  )
}

/** Returns labels that an expression selects or groups by. */
function labelsIn(expression: string): string[] {
  const chosen = [...expression.matchAll(/([a-z_]+)(?:=~|!~|!=|=)"/g)].map(([, label]) => label as string)
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels]) =>
    (labels as string).split(',').map((one) => one.trim()),
  )
  return [...chosen, ...grouped]
}

/** Labels that Prometheus adds. */
const ADDED = ['job', 'instance', 'le']
/** Labels by metric name as Prometheus spells it. */
const known = new Map<string, readonly string[]>()
const teller = definePlugin({
  id: 'teller',
  sdk: '^1.0.0',
  description: 'Tells what is measured, for a test.',
  tools: [
    defineTool({
      name: 'metrics_told',
      description: 'Tell the metrics of this gateway with their labels, for a test.',
      capability: 'read',
      effect: 'read',
      input: Type.Object({}, closed),
      output: Type.Object({ metrics: Type.Array(Type.Unknown()) }, closed),
      uses: { metrics: gatewayMetrics },
      handle: async (_args, { metrics }) => ({ metrics: [...(await metrics.snapshot())] }),
    }),
  ],
})

before(async () => {
  await using gateway = await startTestGateway({ plugins: [...standardPlugins, teller] })
  // The metrics of MCP and HTTP exist once their transports do.
  const { body } = await gateway.inject({ method: 'GET', url: '/metrics' })
  const { metrics } = (await gateway.call('metrics_told')) as { metrics: readonly MetricSnapshot[] }
  for (const metric of metrics) {
    const name = prometheusName(metric)
    assert.ok(body.includes(`\n# TYPE ${name} `) || body.startsWith(`# TYPE ${name} `), `${name} is on the page`)
    known.set(name, [...metric.labels.map((label) => label.replaceAll('.', '_')), ...ADDED])
  }
})

/** Returns the faults of an expression: it names no metric, a missing metric, or a label that these metrics do not have. */
function faultsOf(expression: string): string[] {
  const metrics = metricsIn(expression)
  if (expression === 'up{job="gateway"} == 0') return []
  if (metrics.length === 0) return [`${expression} names no metric`]
  const labels = new Set(metrics.flatMap((metric) => known.get(metric) ?? []))
  return [
    ...metrics.filter((metric) => !known.has(metric)).map((metric) => `there is no ${metric}`),
    ...labelsIn(expression)
      .filter((label) => !labels.has(label))
      .map((label) => `${expression}: no label ${label}`),
  ]
}

test('every metric that the dashboard names exists, and has the labels it is asked for', () => {
  const { panels } = JSON.parse(file('dashboard.json')) as { panels: { title: string; targets: { expr: string }[] }[] }
  assert.ok(panels.length > 10)
  for (const { title, targets } of panels) {
    assert.ok(targets.length > 0, title)
    for (const { expr } of targets) assert.deepEqual(faultsOf(expr), [], title)
  }
})

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly description: string }
}

test('every metric that the alert rules name exists with its labels, and each rule says what to do with it', () => {
  const { groups } = parse(file('alerts.yml')) as { groups: readonly { rules: readonly Rule[] }[] }
  const rules = groups.flatMap(({ rules }) => rules)
  assert.ok(rules.length > 10)
  for (const rule of rules) {
    assert.deepEqual(faultsOf(rule.expr), [], rule.alert)
    assert.match(rule.for, /^\d+m$/, rule.alert)
    assert.match(rule.labels.severity, /^(critical|warning|info)$/, rule.alert)
    assert.ok(rule.annotations.summary.length > 0 && rule.annotations.description.length > 0, rule.alert)
    const shown = [...rule.annotations.description.matchAll(/\$labels\.([a-z_]+)/g)].map(([, label]) => label as string)
    const labels = metricsIn(rule.expr).flatMap((metric) => known.get(metric) ?? [])
    assert.deepEqual(
      shown.filter((label) => !ADDED.includes(label) && !labels.includes(label)),
      [],
      rule.alert,
    )
  }
})

test('a metric or a label that is not there is found', () => {
  assert.deepEqual(faultsOf('gateway_tasks_by_status{status="done", colour="red"}'), [
    'gateway_tasks_by_status{status="done", colour="red"}: no label colour',
  ])
  assert.deepEqual(faultsOf('sum by (le) (rate(gateway_nothing_seconds_bucket[5m]))'), [
    'there is no gateway_nothing_seconds',
    'sum by (le) (rate(gateway_nothing_seconds_bucket[5m])): no label le',
  ])
})

test('the page of operations names no metric that does not exist', () => {
  const [, section = ''] = readFileSync(join(root, 'docs/operations.md'), 'utf8').split('## Metrics\n')
  const named = [
    ...(section.split('\n## ')[0] ?? '').matchAll(/`([a-z0-9_]+_(?:seconds|bytes|total|active|late|owing|connections|sessions|streams))`/g),
  ]
  assert.ok(named.length > 10)
  assert.deepEqual(
    named.map(([, name]) => name as string).filter((name) => !known.has(name)),
    [],
  )
})
