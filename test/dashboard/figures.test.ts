import assert from 'node:assert/strict'
import { test } from 'node:test'
import { duration, number } from '../../plugins/dashboard/app/figures.ts'

test('a duration shows its two greatest units, and whatever number a caller sent stays short and is one', () => {
  assert.deepEqual(
    [850, 12_500, 200_000, 187_200_000].map((ms) => duration(ms)),
    ['850 ms', '12.5 s', '3 min 20 s', '2 d 4 h'],
  )
  assert.deepEqual(
    [0.5, 86_400, 47_304_000, 1e308].map((seconds) => duration(seconds, 's')),
    ['500 ms', '1 d', '1.5 y', '3.17e+300 y'],
  )
  assert.deepEqual([1234.567, 1e15, -1e308].map(number), ['1,234.57', '1.00e+15', '-1.00e+308'])
})
