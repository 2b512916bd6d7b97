import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heatOf } from '../../plugins/dashboard/app/panels/heat.ts'

test('hours become days of 24 hours, the newest first, and an hour that occurs twice is summed', () => {
  const at = (day: number, hour: number, count: number) => ({ time: new Date(2026, 0, day, hour), counts: [count, 1] })
  const { days, most } = heatOf([at(5, 3, 2), at(6, 0, 7), at(6, 0, 1)])
  assert.deepEqual(
    days.map(({ day, hours }) => [day.getDate(), hours.length, hours[3], hours[0]]),
    [
      [6, 24, undefined, [8, 2]],
      [5, 24, [2, 1], undefined],
    ],
  )
  assert.equal(most, 8)
  assert.deepEqual(heatOf([]), { days: [], most: 1 })
})
