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
  assert.deepEqual([recommendation, spendDays, lookbackDays], ['keep', 7, 30])
  assert.match(rationale, /0\.70 USD are to be expected in 30 days/)
  assert.deepEqual(
    suggestions.map(({ cap, currentUsd, suggestedUsd }: Record<string, unknown>) => [cap, currentUsd, suggestedUsd]),
    [
      ['monthlyCapUsd', 1, 0.84],
      ['dailyCapUsd', null, 0.13],
    ],
  )
  assert.equal((await gateway.call('budgets_suggestions', { lookbackDays: 3 })).recommendation, 'insufficient_data')
  assert.equal((await gateway.call('budgets_status')).monthlyCapUsd, 1, 'nothing is applied')
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
