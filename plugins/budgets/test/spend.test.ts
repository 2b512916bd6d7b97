import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pay, start } from './support.ts'

const ADMIN = 'an-admin-token-of-some-length'
const admin = { env: { ADMIN_API_TOKEN: ADMIN } }

test('a thousand calls at once: spend is tokens times price exactly, in every sum there is', async () => {
  await using gateway = await start()
  // Prices of 0.075 and 0.3 USD per million tokens, which no float adds up exactly.
  const calls = Array.from({ length: 1_000 }, (_, i) => ({
    inputTokens: 1 + ((i * 7_919) % 10_007),
    outputTokens: (i * 104_729) % 4_001,
    i,
  }))
  const cost = (input: number, output: number): number => (input * 0.075 + output * 0.3) / 1_000_000
  await Promise.all(
    calls.map(({ inputTokens, outputTokens, i }) =>
      pay(gateway, { inputTokens, outputTokens, costUsd: cost(inputTokens, outputTokens), member: `m${i % 3}`, model: `model-${i % 5}` }),
    ),
  )
  const nanos = calls.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens * 75 + outputTokens * 300, 0)
  assert.equal((await gateway.call('budgets_status')).monthToDateUsd, nanos / 1e9)
  const { totalUsd, calls: counted, byMember, byModel } = await gateway.call('budgets_breakdown')
  assert.deepEqual([totalUsd, counted, byMember.length, byModel.length], [nanos / 1e9, 1_000, 3, 5])
  const rows = (await gateway.documents())['budgets.spend'] as { nanos: number; createdAt: string }[]
  assert.equal(new Set(rows.map(({ createdAt }) => createdAt)).size, 1_000)
  assert.equal(
    rows.reduce((sum, row) => sum + row.nanos, 0),
    nanos,
  )
})

test('rows come newest first, page by page without a gap or a double, also those of one moment', async () => {
  await using gateway = await start({}, admin)
  for (let i = 0; i < 7; i++) await pay(gateway, { provider: i % 2 === 0 ? 'api' : 'local', channel: `c${i}`, member: 'ada' })
  const get = async (query: string) =>
    (await gateway.inject({ method: 'GET', url: `/api/budgets/usage?${query}`, headers: { 'x-admin-token': ADMIN } })).json()
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { rows, nextCursor } = await get(`limit=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    seen.push(...rows.map(({ channelId }: { channelId: string }) => channelId))
    if (nextCursor === undefined) break
    assert.equal(nextCursor, rows.at(-1).createdAt)
    cursor = nextCursor
  }
  assert.deepEqual(seen, ['c6', 'c5', 'c4', 'c3', 'c2', 'c1', 'c0'])
  assert.equal((await get('provider=local')).rows.length, 3)
  assert.equal((await get('channelId=c2')).rows.length, 1)
  assert.equal((await get('userId=nobody')).rows.length, 0)
  assert.equal((await get('limit=9999')).rows.length, 7)
  const [, , third] = (await get('')).rows
  assert.deepEqual((await get(`from=${third.createdAt}`)).rows.length, 3)
  assert.deepEqual((await get(`to=${third.createdAt}`)).rows.length, 4)
})

test('after the clock was set back, rows go on at the right time and stay unique', async () => {
  await using gateway = await start()
  gateway.clock.set(new Date('2026-03-16T10:00:00Z'))
  for (let i = 0; i < 3; i++) await pay(gateway)
  gateway.clock.set(new Date('2026-03-15T10:00:00Z'))
  for (let i = 0; i < 3; i++) await pay(gateway)
  gateway.clock.set(new Date('2026-03-16T10:00:00Z'))
  for (let i = 0; i < 3; i++) await pay(gateway)
  const rows = (await gateway.documents())['budgets.spend'] as { createdAt: string }[]
  assert.equal(rows.filter(({ createdAt }) => createdAt.startsWith('2026-03-15')).length, 3)
  assert.equal(rows.length, 9)
})

test('a breakdown of any period is what the rows of the period add up to', async () => {
  await using gateway = await start()
  const base = Date.parse('2026-03-01T00:00:00Z')
  const minutes = [0, 1, 500, 1_439, 1_440, 2_000, 2_879, 2_880, 4_000, 5_000, 5_759]
  for (const [i, minute] of minutes.entries()) {
    gateway.clock.set(new Date(base + minute * 60_000))
    await pay(gateway, { costUsd: (i + 1) / 1_000, provider: i % 2 === 0 ? 'api' : 'local' })
  }
  const at = fc.integer({ min: -100, max: 6_000 })
  await fc.assert(
    fc.asyncProperty(at, at, async (a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)]
      const iso = (minute: number) => new Date(base + minute * 60_000).toISOString()
      const { totalUsd, byProvider } = await gateway.call('budgets_breakdown', { from: iso(from), to: iso(to) })
      const expected = minutes.reduce((sum, minute, i) => (minute >= from && minute < to ? sum + i + 1 : sum), 0)
      assert.equal(totalUsd, expected / 1_000)
      assert.equal(
        byProvider.reduce((sum: number, { costUsd }: { costUsd: number }) => sum + Math.round(costUsd * 1_000), 0),
        expected,
      )
    }),
    {
      numRuns: 40,
      examples: [
        [0, 5_759],
        [0, 5_760],
        [1_440, 2_880],
      ],
    },
  )
  await assert.rejects(gateway.call('budgets_breakdown', { from: 'soon' }), /`from` must be a date or a time .* got "soon"/)
})
