import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPeriod, readTime, splitPeriod } from '@gateway/sdk'
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
