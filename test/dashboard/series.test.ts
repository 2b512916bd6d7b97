import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rangeOf, stacked } from '../../plugins/dashboard/app/panels/chart-values.ts'

test('a series with one point shows the day around it', () => {
  const noon = Date.parse('2026-01-15T12:00:00Z') / 1_000
  assert.deepEqual(rangeOf(noon, noon, { count: 1, times: true, bars: true }), [noon - 43_200, noon + 43_200])
  assert.deepEqual(rangeOf(noon, noon + 86_400_000, { count: 1, times: true, bars: true }), [noon - 43_200, noon + 43_200])
  assert.deepEqual(rangeOf(0, 0, { count: 1, times: false, bars: true }), [-1, 1])
  assert.deepEqual(rangeOf(0, 10, { count: 3, times: true, bars: false }), [0, 10])
  assert.deepEqual(rangeOf(0, 10, { count: 3, times: true, bars: true }), [-2.5, 12.5])
})

test('bars of one place stand on each other, and one of height 0 is not drawn', () => {
  assert.deepEqual(
    stacked([
      [3, 0, null],
      [1, 2, 0],
    ]),
    [
      [3, null, null],
      [4, 2, null],
    ],
  )
})
