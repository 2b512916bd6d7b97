import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bucketsOf, greatest, wholeHours } from '../src/rules/report.ts'
import { ADMIN, start } from './support.ts'

test('the sums of a period by type, day and repo: from is inclusive, to is exclusive', async () => {
  await using gateway = await start()
  for (const hour of ['2026-03-14T22', '2026-03-14T23', '2026-03-15T00', '2026-03-15T01']) {
    gateway.clock.set(`${hour}:30:00Z`)
    await gateway.call('work_do', { repo: hour.slice(-2) === '00' ? 'api' : 'web' })
  }
  await gateway.restart()
  const summary = async (groupBy: string | undefined, from?: string, to?: string) => {
    const { totals, total } = await gateway.call('usage_summary', { groupBy, from, to })
    return [totals.map(({ key, quantity }: { key: string; quantity: number }) => `${key} ${quantity}`).join(', '), total]
  }
  assert.deepEqual(await summary(undefined), ['tool_call 4', 4])
  assert.deepEqual(await summary('day'), ['2026-03-14 2, 2026-03-15 2', 4])
  assert.deepEqual(await summary('repo'), ['web 3, api 1', 4])
  assert.deepEqual(await summary('day', '2026-03-14T23:00:00Z', '2026-03-15T01:00:00Z'), ['2026-03-14 1, 2026-03-15 1', 2])
  assert.deepEqual(await summary('type', '2026-03-15T00:00:00Z', '2026-03-15T00:00:00Z'), ['', 0])
  await assert.rejects(gateway.call('usage_summary', { groupBy: 'week' }), { code: 'BAD_REQUEST' })
})

test('the routes stand behind the admin token, and refuse what they cannot read', async () => {
  await using gateway = await start()
  const get = (path: string, token?: string) =>
    gateway.inject({ method: 'GET', url: `/api/usage/${path}`, ...(token && { headers: { 'x-admin-token': token } }) })
  for (const path of ['summary', 'breakdown']) {
    assert.equal((await get(path)).json().code, 'UNAUTHORIZED')
    assert.equal((await get(path, ADMIN)).status, 200)
    for (const query of ['from=soon', 'to=soon', 'from=2027-01-01&to=2026-01-01']) {
      const { status, json } = await get(`${path}?${query}`, ADMIN)
      assert.deepEqual([query, status, json().code], [query, 400, 'BAD_REQUEST'])
    }
  }
  assert.equal((await get('summary?groupBy=week', ADMIN)).json().code, 'BAD_REQUEST')
  await using closed = await start({}, { env: {} })
  const { status, json } = await closed.inject({ method: 'GET', url: '/api/usage/summary', headers: { 'x-admin-token': ADMIN } })
  assert.deepEqual([status, json().code], [503, 'ADMIN_DISABLED'])
})

test('each hour of a period is in exactly one bucket, each other hour in none', () => {
  const minute = fc.integer({ min: 0, max: 8 * 24 * 60 })
  const base = Date.parse('2026-02-26T00:00:00Z')
  fc.assert(
    fc.property(minute, minute, (a, b) => {
      const at = (m: number) => new Date(base + m * 60_000)
      const period = wholeHours({ from: at(Math.min(a, b)), to: at(Math.max(a, b)) })
      const buckets = bucketsOf(period)
      for (let hour = 0; hour < 8 * 24 + 1; hour++) {
        const time = at(hour * 60)
        const iso = time.toISOString()
        const within = buckets.filter(({ span, gte, lt }) => {
          const bucket = iso.slice(0, span === 'day' ? 10 : 13)
          return bucket >= gte && bucket < lt
        })
        assert.equal(within.length, time >= period.from && time < period.to ? 1 : 0, iso)
      }
    }),
  )
})

test('the rows of a report make up the whole, whatever is beyond their number', () => {
  const counts = new Map([...Array.from({ length: 700 }, (_, i) => [`r${i}`, 2] as const), ['(other)', 1_000] as const])
  const rows = greatest(counts)
  assert.equal(rows.length, 500)
  assert.equal(
    rows.reduce((sum, [, quantity]) => sum + quantity, 0),
    2_400,
  )
})
