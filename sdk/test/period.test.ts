import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTime, readPeriod, readTime, splitPeriod } from '@gateway/sdk'
import fc from 'fast-check'

const now = new Date('2026-03-15T10:20:30.400Z')
const iso = ({ from, to }: { from: Date; to: Date }) => [from.toISOString(), to.toISOString()]

test('a time is read in any form that Date.parse knows, and refused by the name of its field otherwise', () => {
  for (const text of ['2026-01-31', '2026-01-31T00:00:00+00:00', 'Sat, 31 Jan 2026 00:00:00 GMT']) {
    assert.equal(readTime(text, 'from').toISOString(), '2026-01-31T00:00:00.000Z')
  }
  for (const text of ['', 'soon', '2026-13-01', '+020000-01-01T00:00:00Z', '-000001-01-01T00:00:00Z', 'x'.repeat(1_000)]) {
    assert.throws(() => readTime(text, 'from'), { code: 'BAD_REQUEST' })
  }
})

test('a time without a zone is in UTC, whatever the zone of the machine', () => {
  const noon = Date.parse('2026-07-01T12:00:00Z')
  const without = [
    '2026-07-01T12:00',
    '2026-07-01T12:00:00',
    '2026-07-01T12:00:00.000',
    '2026-07-01 12:00',
    'Jul 1 2026 12:00',
    '7/1/2026 12:00 PM',
    'Wed, 01 Jul 2026 12:00:00',
  ]
  const withZone = [
    '2026-07-01T14:00+02:00',
    '2026-07-01 14:00 +0200',
    'Wed, 01 Jul 2026 12:00:00 GMT',
    '2026-07-01T12:00:00z',
    'Wed Jul 01 2026 14:00:00 GMT+0200 (Central European Summer Time)',
    '2026-07-01 08:00 EDT',
  ]
  const days = ['2026-07-01', '2026-7-1', '07-01-2026', 'Jul 1 2026', '2026-07']
  const before = process.env.TZ
  try {
    for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
      process.env.TZ = zone
      for (const text of [...without, ...withZone]) assert.equal(parseTime(text), noon, `${text} in ${zone}`)
      for (const text of days) assert.equal(parseTime(text), Date.parse('2026-07-01T00:00:00Z'), `${text} in ${zone}`)
      for (const text of ['', 'soon', '2026-13-01T00:00', 'x'.repeat(10_000)]) assert.ok(Number.isNaN(parseTime(text)), text)
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
