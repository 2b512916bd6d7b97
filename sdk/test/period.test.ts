import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOrder, lastDays, parseTime, readPeriod, readTime, splitPeriod } from '@gateway/sdk'
import fc from 'fast-check'

const now = new Date('2026-03-15T10:20:30.400Z')
const iso = ({ from, to }: { from: Date; to: Date }) => [from.toISOString(), to.toISOString()]

test('a date or a time in ISO 8601 is read, and every other text refused by the name of its field', () => {
  for (const text of ['2026-01-31', ' 2026-01-31T00:00:00+00:00 ', '2026-01-30T14:00-10:00', '2026-01-31 14:00:00.0009 +1400']) {
    assert.equal(readTime(text, 'from').toISOString(), '2026-01-31T00:00:00.000Z')
  }
  const notOnAnyCalendar = ['2026-02-30', '2026-13-01', '2025-02-29T10:00Z', '2026-01-31T24:00Z', '2026-01-31T12:60', '2026-01-31T12:00:61']
  const notInAnyZone = ['2026-01-31T12:00+25:00', '2026-01-31T12:00+14:01', '2026-01-31T12:00+02:60', '2026-01-31T12:00 EDT']
  const notInOurYears = ['+020000-01-01T00:00:00Z', '-000001-01-01T00:00:00Z', '9999-12-31T23:00-02:00', '0001-01-01T00:00+01:00']
  const notIso = ['', 'soon', 'last 7', '7', '01/02/2026', '2026', '2026-01', 'Sat, 31 Jan 2026 00:00:00 GMT', 'x'.repeat(1_000)]
  for (const text of [...notOnAnyCalendar, ...notInAnyZone, ...notInOurYears, ...notIso])
    assert.throws(() => readTime(text, 'from'), { code: 'BAD_REQUEST', message: /^`from` / }, text)
})

test('a time without a zone is in UTC, whatever the zone of the machine', () => {
  const noon = Date.parse('2026-07-01T12:00:00Z')
  const texts = [
    '2026-07-01T12:00',
    '2026-07-01T12:00:00',
    '2026-07-01T12:00:00,000',
    '2026-07-01 12:00',
    '2026-07-01T14:00+02:00',
    '2026-07-01T12:00z',
  ]
  const before = process.env.TZ
  try {
    for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
      process.env.TZ = zone
      for (const text of texts) assert.equal(parseTime(text), noon, `${text} in ${zone}`)
      assert.equal(parseTime('2026-07-01'), Date.parse('2026-07-01T00:00:00Z'), zone)
    }
  } finally {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  }
})

test('a period is by default this month up to now, and one that ends before it begins is refused', () => {
  assert.deepEqual(iso(readPeriod({}, now)), ['2026-03-01T00:00:00.000Z', now.toISOString()])
  assert.deepEqual(iso(readPeriod({ to: '2026-02-01' }, now)), ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'])
  assert.deepEqual(iso(readPeriod({ from: '2026-03-02', to: '2026-03-02' }, now)), Array(2).fill('2026-03-02T00:00:00.000Z'))
  assert.throws(() => readPeriod({ from: '2026-04-01' }, now), { code: 'BAD_REQUEST' })
  const [earlier, later] = [new Date(1), new Date(2)]
  for (const fine of [{}, { since: later, until: undefined }, { since: earlier, until: later }, { since: later, until: later }])
    checkOrder(fine)
  assert.throws(() => checkOrder({ since: later, until: earlier }), { code: 'BAD_REQUEST', message: /^`since` must not be after `until`/ })
})

test('the parts of a split period touch, are in order, and make up the period', () => {
  const ms = fc.integer({ min: 0, max: 10_000 })
  fc.assert(
    fc.property(ms, ms, fc.integer({ min: 1, max: 500 }), (a, b, step) => {
      const period = { from: new Date(Math.min(a, b)), to: new Date(Math.max(a, b)) }
      const { whole, edges } = splitPeriod(period, step)
      const parts = [...edges, ...(whole ? [whole] : [])].sort((one, other) => +one.from - +other.from)
      let at = +period.from
      for (const { from, to } of parts) {
        assert.equal(+from, at)
        assert.ok(to > from)
        at = +to
      }
      assert.equal(at, +period.to)
      for (const edge of edges) assert.ok(+edge.to - +edge.from < 2 * step)
      if (whole) assert.deepEqual([+whole.from % step, +whole.to % step], [0, 0])
    }),
  )
})

test('the last days are ranges that touch, oldest first, of which the last has no end', () => {
  assert.deepEqual(lastDays(now, 3), [
    { gte: '2026-03-12T10:20:30.400Z', lt: '2026-03-13T10:20:30.400Z' },
    { gte: '2026-03-13T10:20:30.400Z', lt: '2026-03-14T10:20:30.400Z' },
    { gte: '2026-03-14T10:20:30.400Z' },
  ])
})
