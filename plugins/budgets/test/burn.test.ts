import assert from 'node:assert/strict'
import { test } from 'node:test'
import { burnOf } from '../src/rules/burn.ts'
import { NANOS_PER_USD } from '../src/schema.ts'
import { start } from './support.ts'

const usd = (amounts: Readonly<Record<string, number>>) =>
  new Map(Object.entries(amounts).map(([day, amount]) => [day, amount * NANOS_PER_USD]))

test('the spending of a month rises day by day, and is carried on at the average of the last seven days', () => {
  const { days, forecastUsd } = burnOf(usd({ '2026-02-01': 5, '2026-02-09': 7, '2026-02-10': 6 }), new Date('2026-02-11T00:00:00Z'))
  assert.equal(days.length, 28)
  assert.deepEqual(days[0], { day: '2026-02-01', spentUsd: 5 })
  assert.deepEqual(days[8], { day: '2026-02-09', spentUsd: 12 })
  assert.deepEqual(days[10], { day: '2026-02-11', spentUsd: 18, forecastUsd: 18 })
  // 13 dollars in six days and 18 days to go.
  assert.equal(forecastUsd.toFixed(2), (18 + (13 / 6) * 18).toFixed(2))
  assert.equal(
    days.some(({ spentUsd }, index) => index > 10 && spentUsd !== undefined),
    false,
  )
})

test('a month without spending stays at zero', () => {
  const { days, forecastUsd } = burnOf(new Map(), new Date('2026-02-01T00:00:00Z'))
  assert.deepEqual([days[0], forecastUsd], [{ day: '2026-02-01', spentUsd: 0, forecastUsd: 0 }, 0])
})

test('the chart draws the tightest cap of the month: of the gateway, the plan or the tenant', async () => {
  await using gateway = await start({ monthlyCapUsd: 40, plans: { free: { monthlyCapUsd: 5 } }, tenants: { acme: { monthlyCapUsd: 3 } } })
  for (const tenantId of ['acme', 'other']) await gateway.tenants.create({ tenantId, name: tenantId, plan: 'free' })
  const drawn = async (as: object = {}) => {
    const { capUsd, days } = await gateway.call('budgets.burn', {}, { as })
    return [capUsd, days[0].capUsd]
  }
  assert.deepEqual(await drawn({ tenantId: 'acme' }), [3, 3])
  assert.deepEqual(await drawn({ tenantId: 'other' }), [5, 5])
  assert.deepEqual(await drawn(), [40, 40])
})
