import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from './support.ts'

interface Row {
  readonly tool: string
  readonly count: number
  readonly tenantId: string
}
const counts = ({ tools }: { tools: readonly Row[] }) => Object.fromEntries(tools.map(({ tool, count }) => [tool, count]))

test('each tool’s calls are counted and measured, over MCP and REST alike, failures too', async () => {
  await using it = await start()
  await it.calls('sample_one', 3)
  await it.calls('sample_one', 1, { fails: true })
  await it.gateway.inject({ method: 'POST', url: '/api/tools/sample_one', body: {} })
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'sample_one', arguments: {} } }
  await it.gateway.inject({ method: 'POST', url: '/mcp', body })
  await it.calls('sample_two', 2)
  const stats = await it.gateway.call('perf_stats')
  assert.deepEqual(counts(stats), { sample_one: 6, sample_two: 2 })
  assert.equal(stats.aggregate.count, 8)
  for (const row of [...stats.tools, stats.aggregate]) {
    assert.ok(row.max > 0 && row.avg <= row.max && row.p50 <= row.p95 && row.p95 <= row.p99 && row.p99 <= row.max)
  }
  assert.equal(stats.hotPaths.length, 2)
  assert.ok(Math.abs(stats.hotPaths[0].share + stats.hotPaths[1].share - 1) < 0.001)
  assert.ok(stats.hotPaths[0].totalMs >= stats.hotPaths[1].totalMs)
})

test('the figures begin anew with the process', async () => {
  await using it = await start()
  await it.calls('sample_one', 1)
  await it.gateway.restart()
  const { tools, aggregate, slowCalls, hotPaths } = await it.gateway.call('perf_stats')
  assert.deepEqual([tools, slowCalls, hotPaths, aggregate], [[], [], [], { count: 0, avg: 0, p50: 0, p95: 0, p99: 0, max: 0 }])
})

test('a slow call is logged, 500 ms being slow unless a setting says otherwise', async () => {
  await using usual = await start()
  await usual.calls('sample_one', 1)
  const { slowCallThresholdMs, slowCalls } = await usual.gateway.call('perf_stats')
  assert.deepEqual([slowCallThresholdMs, slowCalls], [500, []])
  await using it = await start({}, { PERF_SLOW_CALL_MS: '0' })
  await it.calls('sample_one', 1, { fails: true })
  await it.calls('sample_two', 60)
  const stats = await it.gateway.call('perf_stats')
  assert.equal(stats.slowCalls.length, 50)
  const { durationMs, ...newest } = stats.slowCalls[0]
  const at = new Date(it.gateway.clock.now()).toISOString()
  assert.deepEqual(newest, { tool: 'sample_two', tenantId: 'local', via: 'mcp', outcome: 'ok', at })
  assert.ok(durationMs > 0)
})

test('a tenant’s caller sees the calls of its tenant alone, the operator those of all, and nobody those of a synthetic tenant', async () => {
  await using it = await start({ slowCallMs: 0 })
  const ann = { tenantId: 'acme', kind: 'user', role: 'owner', id: 'ann' } as const
  await it.calls('sample_one', 2, {}, ann)
  await it.calls('sample_one', 1)
  await it.calls('sample_two', 5, {}, { ...ann, tenantId: 'synthetic.trial' })
  const theirs = await it.gateway.call('perf_stats', {}, { as: ann })
  assert.deepEqual(counts(theirs), { sample_one: 2 })
  assert.ok(theirs.slowCalls.every(({ tenantId }: Row) => tenantId === 'acme'))
  assert.deepEqual(counts(await it.gateway.call('perf_stats')), { sample_one: 3, perf_stats: 1 })
  const none = await it.gateway.call('perf_stats', {}, { as: { ...ann, tenantId: 'bolt' } })
  assert.deepEqual([none.tools, none.slowCalls], [[], []])
})
