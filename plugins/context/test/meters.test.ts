import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quantile } from '../src/rules/meter.ts'
import { ACME, start } from './support.ts'

const stats = (set: Awaited<ReturnType<typeof start>>, args: object = {}, as = {}) => set.gateway.call('continuity_stats', args, as)

test('before the first boot every figure is nought', async () => {
  await using set = await start()
  const none = { boots: 0, tokensSaved: 0 }
  assert.deepEqual(await stats(set), {
    monthToDate: { ...none, byTool: {} },
    allTime: { ...none, byTool: {} },
    coldStart: { boots: 0, coldTokens: 0, bootTokens: 0, savedPercent: 0 },
    timeToContext: { boots: 0, averageMs: 0, p50Ms: 0, p95Ms: 0, maxMs: 0 },
  })
  const saved = { boots: 0, tokensSaved: 0, usd: 0 }
  assert.deepEqual(await set.gateway.call('user_savings'), { monthToDate: saved, allTime: saved, byUser: [] })
  assert.deepEqual(await set.gateway.call('user_savings', { userId: 'nobody' }), { userId: 'nobody', monthToDate: saved, allTime: saved })
})

test('each boot is counted by the tool that served it, with a quarter of the characters it spared as tokens', async () => {
  await using set = await start()
  await set.state('hub', 'x'.repeat(40_000))
  const { bundle } = await set.boot()
  await set.boot()
  const { allTime, monthToDate, coldStart, timeToContext } = await stats(set)
  const cold = coldStart.coldTokens * 4
  assert.ok(cold > 40_000 && cold < 41_000)
  assert.ok(Math.abs(allTime.tokensSaved - (2 * (cold - bundle.length)) / 4) <= 4)
  assert.deepEqual(allTime, {
    boots: 2,
    tokensSaved: allTime.tokensSaved,
    byTool: { context_boot: { boots: 2, tokensSaved: allTime.tokensSaved } },
  })
  assert.deepEqual(monthToDate, allTime)
  assert.deepEqual([coldStart.boots, coldStart.bootTokens], [2, Math.round(bundle.length / 4)])
  assert.ok(coldStart.savedPercent > 90 && coldStart.savedPercent < 100)
  assert.equal(timeToContext.boots, 2)
  assert.ok(timeToContext.p50Ms <= timeToContext.p95Ms && timeToContext.p95Ms <= timeToContext.maxMs)
  const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }
  await set.gateway.inject({ method: 'POST', url: '/mcp', body })
  assert.equal((await stats(set)).allTime.boots, 2, 'what is given unasked is not counted')
})

test('a boot that tells more than there was to read saves nothing, and takes nothing away', async () => {
  await using set = await start()
  await set.boot({ repo: 'web', budget: 64_000 })
  assert.deepEqual([(await stats(set)).allTime.boots, (await stats(set)).allTime.tokensSaved], [1, 0])
})

test('figures are of one repo when it is named, and of one month', async () => {
  await using set = await start()
  await set.state('hub', 'x'.repeat(40_000))
  await set.boot()
  await set.boot({ repo: 'web' })
  set.gateway.clock.advance(40 * 86_400)
  await set.boot({ repo: 'web' })
  const boots = async (args: object) => {
    const { monthToDate, allTime } = await stats(set, args)
    return [monthToDate.boots, allTime.boots]
  }
  assert.deepEqual(await boots({}), [1, 3])
  assert.deepEqual(await boots({ repo: 'web' }), [1, 2])
  assert.deepEqual(await boots({ repo: 'hub' }), [0, 1])
  assert.deepEqual(await boots({ repo: 'none' }), [0, 0])
})

test('savings are told by user, worth what the settings say, who saved most first', async () => {
  await using set = await start([], { usdPerMillionTokens: 10 })
  await set.state('hub', 'x'.repeat(400_000))
  await set.boot()
  await set.boot({}, { as: { id: 'ada', kind: 'user', role: 'member' } })
  await set.boot({}, { as: { id: 'ada', kind: 'user', role: 'member' } })
  const all = await set.gateway.call('user_savings')
  assert.deepEqual(
    all.byUser.map(({ userId, allTime }: { userId: string; allTime: { boots: number } }) => [userId, allTime.boots]),
    [
      ['ada', 2],
      ['operator', 1],
    ],
  )
  assert.equal(all.allTime.boots, 3)
  const ada = await set.gateway.call('user_savings', { userId: 'ada' })
  assert.deepEqual({ userId: 'ada', ...all.byUser[0] }, ada)
  assert.equal(ada.allTime.usd, (ada.allTime.tokensSaved * 10) / 1_000_000)
  assert.ok(Math.abs(all.allTime.tokensSaved - all.byUser[0].allTime.tokensSaved - all.byUser[1].allTime.tokensSaved) <= 2)
  set.gateway.clock.advance(40 * 86_400)
  const later = await set.gateway.call('user_savings', { userId: 'ada' })
  assert.deepEqual([later.monthToDate.boots, later.allTime.boots], [0, 2])
})

test('boots at once are all counted, and those of another tenant are its own', async () => {
  await using set = await start()
  await Promise.all(Array.from({ length: 10 }, () => set.boot()))
  await set.boot({}, ACME)
  assert.equal((await stats(set)).allTime.boots, 10)
  assert.equal((await stats(set, {}, ACME)).allTime.boots, 1)
})

test('figures outlive a restart', async () => {
  await using set = await start()
  await set.boot()
  await set.gateway.restart()
  assert.equal((await stats(set)).allTime.boots, 1)
})

test('a quantile is the end of its bucket, and never more than the longest', () => {
  assert.equal(quantile([0, 0, 0, 0, 0, 0, 0, 0, 0], 0.5, 0), 0)
  assert.equal(quantile([9, 0, 0, 0, 0, 0, 0, 0, 1], 0.5, 4_000), 5)
  assert.equal(quantile([9, 0, 0, 0, 0, 0, 0, 0, 1], 0.95, 4_000), 4_000)
  assert.equal(quantile([9, 0, 0, 0, 0, 0, 0, 0, 0], 0.95, 3), 3)
})
