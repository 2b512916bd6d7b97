import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cronTimes } from '@gateway/sdk/cron'

const monday = new Date('2026-01-05T09:00:00.000Z')
const upcoming = (expression: string, count = 3, after = monday) =>
  cronTimes(expression)
    .upcoming(after, count)
    .map((time) => time.toISOString().slice(0, 16))

test('five fields say the minutes it fires at, in UTC', () => {
  assert.deepEqual(upcoming('*/20 9-10 * * *'), ['2026-01-05T09:20', '2026-01-05T09:40', '2026-01-05T10:00'])
  assert.deepEqual(upcoming('30 6 1 JAN,JUL *'), ['2026-07-01T06:30', '2027-01-01T06:30', '2027-07-01T06:30'])
  assert.deepEqual(upcoming('0 12 * * MON-WED'), ['2026-01-05T12:00', '2026-01-06T12:00', '2026-01-07T12:00'])
  assert.deepEqual(upcoming('0 0 29 2 *', 2), ['2028-02-29T00:00', '2032-02-29T00:00'])
})

test('the time zone of the machine makes no difference', () => {
  const zone = process.env.TZ
  try {
    process.env.TZ = 'Australia/Sydney'
    assert.deepEqual(upcoming('15 9 * * *', 1), ['2026-01-05T09:15'])
  } finally {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
})

test('Sunday is 0 and 7', () => {
  assert.deepEqual(upcoming('0 0 * * 0', 2), ['2026-01-11T00:00', '2026-01-18T00:00'])
  assert.deepEqual(upcoming('0 0 * * 7', 2), upcoming('0 0 * * 0', 2))
})

test('with day of month and day of week given, either is enough', () => {
  assert.deepEqual(upcoming('0 0 13 * FRI', 4), ['2026-01-09T00:00', '2026-01-13T00:00', '2026-01-16T00:00', '2026-01-23T00:00'])
  assert.deepEqual(upcoming('0 0 31 2 MON', 1), ['2026-02-02T00:00'])
})

test('the next fire is after the given time, never at it', () => {
  const { next } = cronTimes('* * * * *')
  assert.equal(next(monday).toISOString(), '2026-01-05T09:01:00.000Z')
  assert.equal(next(new Date(monday.getTime() - 1)).toISOString(), '2026-01-05T09:00:00.000Z')
  assert.equal(next(new Date(monday.getTime() + 1)).toISOString(), '2026-01-05T09:01:00.000Z')
})

test('asked again and again, the answers are the same', () => {
  for (let i = 0; i < 3; i++) assert.deepEqual(upcoming('0 9 * * *', 1), ['2026-01-06T09:00'])
  for (let i = 0; i < 1_200; i++) upcoming(`${i % 60} ${Math.floor(i / 60)} * * *`, 1)
  assert.deepEqual(upcoming('0 9 * * *', 1), ['2026-01-06T09:00'])
})

const refused: readonly [expression: string, says: RegExp][] = [
  ['61 * * * *', /^`cronExpr` has a wrong minute: expected 0 to 59.*; got "61"\.$/],
  ['* 24 * * *', /wrong hour: expected 0 to 23.*; got "24"/],
  ['* * 0 * *', /wrong day of month: expected 1 to 31.*; got "0"/],
  ['* * * 13 *', /wrong month: expected 1 to 12 or JAN to DEC.*; got "13"/],
  ['* * * * 8', /wrong day of week: expected 0 to 7 or SUN to SAT.*; got "8"/],
  ['5-1 * * * *', /wrong minute.*"5-1"/],
  ['* */0 * * *', /wrong hour.*"\*\/0"/],
  ['1, * * * *', /wrong minute.*"1,"/],
  ['x * * * *', /wrong minute.*"x"/],
  ['* * * * *  61', /must have five fields \(minute, hour, day of month, month, day of week\); got/],
  ['* * * *', /must have five fields.*got "\* \* \* \*"/],
  ['0 * * * * *', /must have five fields/],
  ['', /must have five fields.*got ""/],
  ['@daily', /must have five fields/],
  ['2030-01-01T00:00:00', /must have five fields/],
  ['0 0 31 2 *', /never fires.*"0 0 31 2 \*"/],
  ['0 0 31 APR,JUN *', /never fires/],
]

for (const [expression, says] of refused) {
  test(`${JSON.stringify(expression)} is refused, and what is wrong with it is said`, () => {
    assert.throws(
      () => cronTimes(expression),
      (error: { code?: string; message: string; details?: { field?: string } }) => {
        assert.deepEqual([error.code, error.details?.field], ['BAD_REQUEST', 'cronExpr'])
        assert.match(error.message, says)
        return true
      },
    )
    assert.throws(() => cronTimes(expression, 'when'), { message: /^`when` / })
  })
}
