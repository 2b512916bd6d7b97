import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineMetric, type MetricReading, type MetricRef } from '@gateway/sdk'
import { exposition } from '../src/exposition.ts'
import { Metrics } from '../src/metrics.ts'

const warnings: string[] = []
function metricsOf(refs: readonly MetricRef[], more: { tenantLabel?: boolean; now?: () => number } = {}): Metrics {
  return new Metrics({ refs, tenantLabel: false, now: () => 0, warn: (message) => void warnings.push(message), ...more })
}
const textOf = async (metrics: Metrics): Promise<string> => exposition(await metrics.snapshot())
const linesOf = async (metrics: Metrics): Promise<string[]> => (await textOf(metrics)).split('\n').filter((line) => !line.startsWith('#'))

test('Prometheus gets names with underscores, units and _total, and label values escaped', async () => {
  const eaten = defineMetric('gateway.pond.eaten', { kind: 'counter', description: 'Eaten.\nAll.', unit: '{frog}', labels: ['frog.kind'] })
  const size = defineMetric('gateway.pond.size', { kind: 'gauge', description: 'Size.', unit: 'By' })
  const full = defineMetric('gateway.pond.full', { kind: 'gauge', description: 'Full.', unit: '1' })
  const metrics = metricsOf([eaten, size, full])
  metrics.of(eaten).add(2, 'a "b"\\\nc')
  metrics.of(size).set(1.5)
  const shown = (await textOf(metrics)).split('\n').filter((line) => line.includes('pond'))
  assert.deepEqual(shown, [
    '# HELP gateway_pond_eaten_total Eaten.\\nAll.',
    '# TYPE gateway_pond_eaten_total counter',
    'gateway_pond_eaten_total{frog_kind="a \\"b\\"\\\\\\nc"} 2',
    '# HELP gateway_pond_size_bytes Size.',
    '# TYPE gateway_pond_size_bytes gauge',
    'gateway_pond_size_bytes 1.5',
    '# HELP gateway_pond_full_ratio Full.',
    '# TYPE gateway_pond_full_ratio gauge',
  ])
})

test('a histogram counts what is at most a bound, all of it under +Inf, and the sum', async () => {
  const jump = defineMetric('gateway.pond.jump', { kind: 'histogram', description: 'Jumps.', unit: 's', labels: ['frog'], buckets: [1, 2] })
  const metrics = metricsOf([jump])
  for (const seconds of [0.5, 1, 1.5, 3]) metrics.of(jump).observe(seconds, 'green')
  metrics.of(jump).observe(Number.NaN, 'green')
  assert.deepEqual(await linesOf(metrics), [
    'gateway_pond_jump_seconds_bucket{frog="green",le="1"} 2',
    'gateway_pond_jump_seconds_bucket{frog="green",le="2"} 3',
    'gateway_pond_jump_seconds_bucket{frog="green",le="+Inf"} 4',
    'gateway_pond_jump_seconds_sum{frog="green"} 6',
    'gateway_pond_jump_seconds_count{frog="green"} 4',
    '',
  ])
})

test('series beyond the bound are counted together, and those that are known go on', async () => {
  const seen = defineMetric('gateway.pond.seen', { kind: 'counter', description: 'Seen.', unit: '{frog}', labels: ['frog'] })
  const metrics = metricsOf([seen])
  for (let frog = 0; frog < 2_500; frog++) metrics.of(seen).add(1, `frog ${frog}`)
  metrics.of(seen).add(1, 'frog 7')
  const lines = await linesOf(metrics)
  assert.equal(lines.length, 2_002)
  assert.ok(lines.includes('gateway_pond_seen_total{otel_metric_overflow="true"} 500'))
  assert.ok(lines.includes('gateway_pond_seen_total{frog="frog 7"} 2'))
})

test('the value of a label has a bound', async () => {
  const seen = defineMetric('gateway.pond.seen', { kind: 'counter', description: 'Seen.', unit: '{frog}', labels: ['frog'] })
  const metrics = metricsOf([seen])
  metrics.of(seen).add(1, 'x'.repeat(100_000))
  assert.equal((await linesOf(metrics))[0], `gateway_pond_seen_total{frog="${'x'.repeat(128)}"} 1`)
})

test('a label called tenant is left out unless it is switched on', async () => {
  const fed = defineMetric('gateway.pond.fed', { kind: 'counter', description: 'Fed.', unit: '{frog}', labels: ['food', 'tenant'] })
  for (const [tenantLabel, expected] of [
    [false, ['gateway_pond_fed_total{food="fly"} 2', '']],
    [true, ['gateway_pond_fed_total{food="fly",tenant="acme"} 1', 'gateway_pond_fed_total{food="fly",tenant="other"} 1', '']],
  ] as const) {
    const metrics = metricsOf([fed], { tenantLabel })
    metrics.of(fed).add(1, 'fly', 'acme')
    metrics.of(fed).add(1, 'fly', 'other')
    assert.deepEqual(await linesOf(metrics), expected)
  }
})

test('a counter without labels is 0 from the start, never falls, and a gauge can be cleared', async () => {
  const eaten = defineMetric('gateway.pond.eaten', { kind: 'counter', description: 'Eaten.', unit: '{frog}' })
  const here = defineMetric('gateway.pond.here', { kind: 'gauge', description: 'Here.', unit: '{frog}', labels: ['kind'] })
  const metrics = metricsOf([eaten, here])
  assert.deepEqual(await linesOf(metrics), ['gateway_pond_eaten_total 0', ''])
  metrics.of(eaten).add(3)
  metrics.of(eaten).add(-1)
  metrics.of(eaten).add(Number.NaN)
  metrics.of(here).set(4, 'green')
  metrics.of(here).clear()
  metrics.of(here).set(5, 'brown')
  assert.deepEqual(await linesOf(metrics), ['gateway_pond_eaten_total 3', 'gateway_pond_here{kind="brown"} 5', ''])
})

test('what lies in the store is read at most every ten seconds, however many ask; what is known at once, each time', async () => {
  let now = 0
  const here = defineMetric('gateway.pond.here', { kind: 'gauge', description: 'Here.', unit: '{frog}' })
  const metrics = metricsOf([here], { now: () => now })
  let [read, looked] = [0, 0]
  metrics.onLook(() => void looked++)
  metrics.readings = (): readonly MetricReading[] => [{ name: 'pond', read: async () => metrics.of(here).set(++read) }]
  await Promise.all([metrics.snapshot(), metrics.snapshot(), metrics.snapshot()])
  now += 9_999
  await metrics.snapshot()
  assert.deepEqual([read, looked], [1, 2])
  now += 1
  await metrics.snapshot()
  assert.deepEqual([read, looked], [2, 3])
})

test('a reading that fails leaves its gauges as they were, is counted, and holds up no other', async () => {
  warnings.length = 0
  const here = defineMetric('gateway.pond.here', { kind: 'gauge', description: 'Here.', unit: '{frog}' })
  const metrics = metricsOf([here])
  metrics.readings = () => [
    { name: 'ill', read: () => Promise.reject(new Error('no')) },
    { name: 'pond', read: async () => metrics.of(here).set(1) },
  ]
  assert.deepEqual(await linesOf(metrics), ['gateway_pond_here 1', 'gateway_metrics_unread_total{reading="ill"} 1', ''])
  assert.deepEqual(warnings, ['metrics could not be read'])
})

test('a declaration that cannot be shown is refused where it is written', () => {
  const spec = { kind: 'counter', description: 'Frogs.', unit: '{frog}' } as const
  assert.throws(() => defineMetric('Frogs', spec), /metric Frogs: the name must read family\.what/)
  assert.throws(() => defineMetric('gateway.pond.frogs', { ...spec, labels: ['Kind!'] }), /the label Kind!/)
  assert.throws(() => defineMetric('gateway.pond.frogs', { ...spec, labels: ['a', 'b', 'c', 'd', 'e', 'f'] }), /at most 5 labels; got 6/)
  assert.throws(() => defineMetric('gateway.pond.frogs', { ...spec, buckets: [1] }), /only a histogram has buckets/)
  assert.throws(() => defineMetric('gateway.pond.frogs', { ...spec, kind: 'histogram', buckets: [2, 1] }), /buckets must ascend/)
  assert.throws(() => defineMetric('gateway.pond.frogs', { ...spec, label: ['a'] } as never), /label is none of its members/)
})
