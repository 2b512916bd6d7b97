import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { roundUp, suggestDaily, suggestMonthly } from '../src/rules/suggest.ts'
import { pay, start } from './support.ts'

const DAY = 86_400

test('six days of spend are too few to suggest a cap, seven are enough', async () => {
  await using gateway = await start({ monthlyCapUsd: 1 })
  gateway.clock.set(new Date('2026-03-10T10:00:00Z'))
  for (let day = 0; day < 6; day++) {
    await pay(gateway, { costUsd: 0.1 })
    if (day === 0) assert.match((await gateway.call('budgets_suggestions')).rationale, /spend on 1 day; 7/)
    gateway.clock.advance(DAY)
  }
  const early = await gateway.call('budgets_suggestions')
  assert.match(early.rationale, /spend on 6 days; 7/)
  assert.deepEqual([early.recommendation, early.spendDays, early.suggestions[0].suggestedUsd], ['insufficient_data', 6, null])
  await pay(gateway, { costUsd: 0.1 })
  const { recommendation, rationale, spendDays, lookbackDays, suggestions } = await gateway.call('budgets_suggestions')
  assert.deepEqual([recommendation, spendDays, lookbackDays], ['increase', 7, 30])
  // 0.1 USD on each of the seven days since the first spend.
  assert.match(rationale, /3\.00 USD are to be expected in 30 days/)
  assert.deepEqual(
    suggestions.map(({ cap, currentUsd, suggestedUsd }: Record<string, unknown>) => [cap, currentUsd, suggestedUsd]),
    [
      ['monthlyCapUsd', 1, 3.6],
      ['dailyCapUsd', null, 0.13],
    ],
  )
  assert.equal((await gateway.call('budgets_suggestions', { lookbackDays: 3 })).recommendation, 'insufficient_data')
  assert.equal((await gateway.call('budgets_status')).monthlyCapUsd, 1, 'nothing is applied')
})

test('what is to be expected of a month is the mean of the days since the first spend, not of days before it', async () => {
  await using gateway = await start()
  gateway.clock.set(new Date('2026-03-01T10:00:00Z'))
  // Every other day, 2 USD on the 1st, 3rd and 5th, and 3 USD on the 7th, 9th, 11th and 13th.
  for (const [at, costUsd] of [2, 2, 2, 3, 3, 3, 3].entries()) {
    if (at > 0) gateway.clock.advance(2 * DAY)
    await pay(gateway, { costUsd })
  }
  const expected = async (args: object = {}) => {
    const { rationale, suggestions } = await gateway.call('budgets_suggestions', args)
    return [Number(/([\d.]+) USD are to be expected in 30 days/.exec(rationale)?.[1]), suggestions[0].suggestedUsd]
  }
  // 18 USD on 13 days are 41.54 USD in 30, and with a fifth more 49.85: 50.
  assert.deepEqual(await expected(), [41.54, 50])
  // Eight idle days since then count: 18 USD on 21 days.
  gateway.clock.advance(8 * DAY)
  assert.deepEqual(await expected(), [25.71, 31])
  assert.equal((await gateway.call('budgets_suggestions', { lookbackDays: 15 })).recommendation, 'insufficient_data')
  for (let day = 0; day < 3; day++) {
    gateway.clock.advance(DAY)
    await pay(gateway, { costUsd: 2 })
  }
  // The days from the 7th to the 24th: 4 × 3 USD, then 3 × 2 USD, on 18 days.
  assert.deepEqual(await expected({ lookbackDays: 18 }), [30, 36])
})

test('the tightest of the caps of the gateway, the plan and the tenant counts as current, by its name', async () => {
  const caps = { monthlyCapUsd: 40, plans: { free: { monthlyCapUsd: 5, dailyCapUsd: 0.5 } }, tenants: { acme: { dailyCapUsd: 0.2 } } }
  await using gateway = await start(caps)
  const ids = ['acme', 'other', 'paying'] as const
  for (const tenantId of ids) await gateway.tenants.create({ tenantId, name: tenantId, plan: tenantId === 'paying' ? 'solo' : 'free' })
  const current = async (tenantId: string) => {
    const { suggestions } = await gateway.call('budgets_suggestions', {}, { as: { tenantId } })
    return suggestions.map(({ cap, currentUsd }: Record<string, unknown>) => [cap, currentUsd])
  }
  const free = ['plans.free.monthlyCapUsd', 5]
  assert.deepEqual(await current('acme'), [free, ['tenants.acme.dailyCapUsd', 0.2]])
  assert.deepEqual(await current('other'), [free, ['plans.free.dailyCapUsd', 0.5]])
  assert.deepEqual(await current('paying'), [
    ['monthlyCapUsd', 40],
    ['dailyCapUsd', null],
  ])
  for (let day = 0; day < 7; day++) {
    await pay(gateway, { costUsd: 0.1 }, { tenantId: 'other' })
    gateway.clock.advance(DAY)
  }
  const { rationale, recommendation } = await gateway.call('budgets_suggestions', {}, { as: { tenantId: 'other' } })
  assert.deepEqual([recommendation, /No cap is set/.test(rationale)], ['keep', false], rationale)
})

test('a cap of a key is suggested from what calls with the key cost, since its first spend', async () => {
  await using gateway = await start({ keys: { ci: { monthlyCapUsd: 1, dailyCapUsd: 1 }, '*': { monthlyCapUsd: 9 } } })
  gateway.clock.set(new Date('2026-02-20T10:00:00Z'))
  for (let day = 0; day < 10; day++) {
    await pay(gateway, { key: 'other', costUsd: 0.5 })
    if (day > 0) await pay(gateway, { key: 'ci', costUsd: 0.1 })
    gateway.clock.advance(DAY)
  }
  gateway.clock.advance(-DAY)
  const ofKey = async (args: object = {}) => {
    const { suggestions } = await gateway.call('budgets_suggestions', args)
    return suggestions.flatMap(({ cap, currentUsd, suggestedUsd }: Record<string, string>) =>
      cap?.startsWith('keys.') ? [[cap, currentUsd, suggestedUsd]] : [],
    )
  }
  // 0.1 USD on each of the nine days since the first spend of the key: 3 USD in 30 days.
  const expected = [
    ['keys.ci.monthlyCapUsd', 1, 3.6],
    ['keys.ci.dailyCapUsd', 1, 0.13],
  ]
  assert.deepEqual(await ofKey(), expected)
  assert.deepEqual(await ofKey({ lookbackDays: 8 }), expected)
  // Thirty idle days later the days are those looked at: 0.9 USD on 40 days, and too few with 31.
  gateway.clock.advance(30 * DAY)
  assert.deepEqual(await ofKey({ lookbackDays: 40 }), [
    ['keys.ci.monthlyCapUsd', 1, 0.84],
    ['keys.ci.dailyCapUsd', 1, 0.13],
  ])
  assert.deepEqual((await ofKey({ lookbackDays: 35 }))[0], ['keys.ci.monthlyCapUsd', 1, null])
})

test('a cap below what is to be expected is to be increased, one far above it decreased', () => {
  const days = Array.from({ length: 10 }, () => 1)
  const judged = (current: number | undefined) => suggestMonthly({ cap: 'c', current, days, lookbackDays: 10 }).recommendation
  assert.deepEqual(
    [judged(10), judged(36), judged(50), judged(100), judged(undefined)],
    ['increase', 'keep', 'keep', 'decrease', 'decrease'],
  )
})

test('whoever takes what is suggested is told to keep it, and is not stopped on a usual day', () => {
  const spend = fc.array(fc.double({ min: 0.001, max: 10_000, noNaN: true }), { minLength: 7, maxLength: 60 })
  fc.assert(
    fc.property(spend, (days) => {
      for (const suggest of [suggestMonthly, suggestDaily]) {
        const { suggestedUsd } = suggest({ cap: 'c', current: undefined, days, lookbackDays: 60 })
        assert.ok(suggestedUsd !== null && suggestedUsd > 0)
        assert.equal(suggest({ cap: 'c', current: suggestedUsd, days, lookbackDays: 60 }).recommendation, 'keep')
      }
      const { suggestedUsd } = suggestDaily({ cap: 'c', current: undefined, days, lookbackDays: 60 })
      assert.ok(days.filter((day) => day > (suggestedUsd ?? 0)).length <= days.length * 0.05 + 1)
    }),
  )
})

test('a round figure is never below what it is made from', () => {
  fc.assert(fc.property(fc.double({ min: 0.001, max: 1e6, noNaN: true }), (usd) => roundUp(usd) >= usd * (1 - 1e-6)))
})
