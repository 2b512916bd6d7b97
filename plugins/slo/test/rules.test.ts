import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SlowCalls } from '../src/operations/slow-calls.ts'
import { ToolMeters } from '../src/operations/tool-meters.ts'
import { Histogram } from '../src/rules/histogram.ts'

const durations = fc.array(fc.double({ min: 0.001, max: 3_600_000, noNaN: true }), { minLength: 1, maxLength: 300 })

test('a quantile is within 3.2 percent of the exact one, whatever the durations', () => {
  fc.assert(
    fc.property(durations, fc.double({ min: 0.01, max: 1, noNaN: true }), (all, part) => {
      const histogram = new Histogram()
      for (const duration of all) histogram.add(duration)
      const exact = all.sort((a, b) => a - b)[Math.max(1, Math.ceil(part * all.length)) - 1] as number
      assert.ok(Math.abs(histogram.quantile(part) - exact) <= exact * 0.032, `${histogram.quantile(part)} for ${exact}`)
    }),
  )
})

test('count, mean and maximum are exact, also of two that are taken together', () => {
  fc.assert(
    fc.property(durations, durations, (some, others) => {
      const [one, two] = [new Histogram(), new Histogram()]
      for (const duration of some) one.add(duration)
      for (const duration of others) two.add(duration)
      one.merge(two)
      const all = [...some, ...others]
      const { count, max } = one.summary()
      assert.equal(count, all.length)
      assert.ok(Math.abs(max - Math.max(...all)) < 0.001)
      assert.ok(Math.abs(one.sumMs - all.reduce((sum, duration) => sum + duration, 0)) < 1e-6 * one.sumMs + 1e-9)
    }),
  )
})

test('durations beyond its range, and none at all, are in its first and last bucket', () => {
  const histogram = new Histogram()
  for (const duration of [0, 1e-9, 1e12]) histogram.add(duration)
  assert.equal(histogram.count, 3)
  assert.ok(histogram.quantile(0.5) <= 0.002)
})

test('names beyond the bound are counted together', () => {
  const meters = new ToolMeters(2)
  for (const tool of ['a', 'b', 'c', 'd', 'a']) meters.add(tool, 1)
  assert.deepEqual(Object.fromEntries(meters.byTime().map(({ tool, histogram }) => [tool, histogram.count])), { a: 2, b: 1, '(others)': 2 })
})

test('the slow-call log keeps the latest', () => {
  const log = new SlowCalls()
  const call = (durationMs: number) => ({ tool: 't', tenantId: 'acme', via: 'mcp', outcome: 'ok', durationMs, at: '' })
  for (let i = 0; i < SlowCalls.MAX + 5; i++) log.add(call(i))
  const all = log.latest(10_000, () => true).map(({ durationMs }) => durationMs)
  assert.deepEqual([all.length, all[0], all.at(-1)], [SlowCalls.MAX, SlowCalls.MAX + 4, 5])
})
