import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isOffHours, outsideWorkingHours } from '../src/rules/sydney-window.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A wall clock in Sydney, computed differently from the rule. */
function wall(time: Date): { date: string; weekday: number; clock: string } {
  const [date = '', clock = ''] = time.toLocaleString('sv-SE', { timeZone: 'Australia/Sydney' }).split(' ')
  return { date, weekday: new Date(date).getUTCDay(), clock }
}

function working(time: Date): boolean {
  const { weekday, clock } = wall(time)
  return weekday >= 1 && weekday <= 5 && clock >= '09:00:00' && clock < '18:00:00'
}

function holds(time: Date): void {
  const moved = outsideWorkingHours(time)
  assert.equal(isOffHours(time), !working(time))
  if (!working(time)) return assert.equal(moved.getTime(), time.getTime(), `${time.toISOString()} stays`)
  assert.deepEqual([wall(moved).date, wall(moved).clock], [wall(time).date, '18:00:00'], `${time.toISOString()} moves to 18:00 of its day`)
  assert.equal(moved.getTime() % 1000, 0)
  assert.ok(moved > time && moved.getTime() - time.getTime() <= 9 * HOUR)
}

/** Nights in which Sydney changes its clock: back by an hour on the first Sunday of April, ahead on that of October. */
function changes(year: number): { back: Date; ahead: Date } {
  const firstSunday = (month: number): number => {
    const first = new Date(Date.UTC(year, month, 1))
    return Date.UTC(year, month, 1 + ((7 - first.getUTCDay()) % 7))
  }
  // Both at 16:00 UTC of the day before: 3:00 of summer time, 2:00 of standard time.
  return { back: new Date(firstSunday(3) - 8 * HOUR), ahead: new Date(firstSunday(9) - 8 * HOUR) }
}

const years = Array.from({ length: 30 }, (_, n) => 2010 + n)

test('the years tested have their changes where the test believes them', () => {
  for (const year of years) {
    const { back, ahead } = changes(year)
    const around = (time: Date) => [wall(new Date(time.getTime() - 1)).clock, wall(time).clock]
    assert.deepEqual(around(back), ['02:59:59', '02:00:00'], `${year}`)
    assert.deepEqual(around(ahead), ['01:59:59', '03:00:00'], `${year}`)
  }
})

test('a time stays unless it falls into working hours, and then moves to 18:00 of its day in Sydney', () => {
  fc.assert(fc.property(fc.date({ min: new Date('1990-01-01'), max: new Date('2060-01-01'), noInvalidDate: true }), holds), {
    numRuns: 1_000,
  })
})

test('so it does in the week around each change of the clock, back and ahead', () => {
  const change = fc.constantFrom(...years.flatMap((year) => Object.values(changes(year))))
  const near = fc.integer({ min: -4 * DAY, max: 4 * DAY })
  fc.assert(
    fc.property(change, near, (change, offset) => holds(new Date(change.getTime() + offset))),
    { numRuns: 1_000 },
  )
  for (const year of [2024, 2025, 2026, 2027]) {
    for (const change of Object.values(changes(year))) {
      for (let hour = -96; hour <= 96; hour++) holds(new Date(change.getTime() + hour * HOUR))
    }
  }
})

test('the edges: 9:00 is inside, 18:00 is outside, in summer and in winter', () => {
  const cases: [string, string][] = [
    // summer, 11 hours ahead of UTC; Monday 5 January is one of Sydney’s Tuesdays by then
    ['2026-01-05T21:59:59.999Z', '2026-01-05T21:59:59.999Z'],
    ['2026-01-05T22:00:00.000Z', '2026-01-06T07:00:00.000Z'],
    ['2026-01-06T06:59:59.999Z', '2026-01-06T07:00:00.000Z'],
    ['2026-01-06T07:00:00.000Z', '2026-01-06T07:00:00.000Z'],
    // winter, 10 hours ahead
    ['2026-07-06T22:59:59.999Z', '2026-07-06T22:59:59.999Z'],
    ['2026-07-06T23:00:00.000Z', '2026-07-07T08:00:00.000Z'],
    ['2026-07-07T08:00:00.000Z', '2026-07-07T08:00:00.000Z'],
    // the Fridays before and the Mondays after the clock changes
    ['2026-04-02T23:00:00.000Z', '2026-04-03T07:00:00.000Z'],
    ['2026-04-05T23:00:00.000Z', '2026-04-06T08:00:00.000Z'],
    ['2026-10-01T23:00:00.000Z', '2026-10-02T08:00:00.000Z'],
    ['2026-10-04T22:00:00.000Z', '2026-10-05T07:00:00.000Z'],
    // Saturday and Sunday in Sydney; the next is Friday in UTC
    ['2026-01-09T23:00:00.000Z', '2026-01-09T23:00:00.000Z'],
    ['2026-01-10T23:00:00.000Z', '2026-01-10T23:00:00.000Z'],
    // Sunday in UTC, Monday in Sydney
    ['2026-01-11T23:00:00.000Z', '2026-01-12T07:00:00.000Z'],
  ]
  for (const [time, moved] of cases) assert.equal(outsideWorkingHours(new Date(time)).toISOString(), moved, time)
})
