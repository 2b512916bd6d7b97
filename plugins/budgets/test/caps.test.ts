import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callOf, pay, start, step, type TestGateway } from './support.ts'

const settled = async (calls: readonly Promise<unknown>[]): Promise<readonly string[]> =>
  (await Promise.allSettled(calls)).map((outcome) => (outcome.status === 'fulfilled' ? 'ok' : outcome.reason.code))
const spentIn = async (gateway: TestGateway): Promise<number> => (await gateway.call('budgets_status')).monthToDateUsd

test('at the cap a call is refused with what is spent, by which cap, and when it begins anew', async () => {
  await using gateway = await start({ monthlyCapUsd: 1 })
  gateway.clock.set(new Date('2026-03-15T10:00:00Z'))
  await pay(gateway, { costUsd: 1 })
  await assert.rejects(pay(gateway), {
    code: 'BUDGET_EXCEEDED',
    status: 402,
    details: { cap: 'monthlyCapUsd', capUsd: 1, spentUsd: 1, heldUsd: 0, resetsAt: '2026-04-01T00:00:00.000Z' },
  })
  gateway.clock.set(new Date('2026-04-01T00:00:00Z'))
  await pay(gateway)
})

test('the cap of a day holds until the day is over, that of a channel in its channel alone', async () => {
  await using gateway = await start({ dailyCapUsd: 1, channels: { chat: { monthlyCapUsd: 0.5 } } })
  gateway.clock.set(new Date('2026-03-15T10:00:00Z'))
  await pay(gateway, { costUsd: 0.5, channel: 'chat' })
  await assert.rejects(pay(gateway, { channel: 'chat' }), { code: 'BUDGET_EXCEEDED' })
  await pay(gateway, { costUsd: 0.5, channel: 'mcp' })
  await assert.rejects(pay(gateway), { code: 'BUDGET_EXCEEDED' })
  gateway.clock.set(new Date('2026-03-16T00:00:00Z'))
  await pay(gateway)
  await assert.rejects(pay(gateway, { channel: 'chat' }), { code: 'BUDGET_EXCEEDED' })
})

test('of fifty calls at once a cap is passed by less than one call’s greatest price', async () => {
  await using gateway = await start({ monthlyCapUsd: 1 })
  const each = { costUsd: 0.09, maxCostUsd: 0.09 }
  const outcomes = await settled(Array.from({ length: 50 }, () => pay(gateway, each)))
  const spent = await spentIn(gateway)
  assert.ok(spent >= 1 && spent < 1.09, `spent ${spent}`)
  assert.equal(outcomes.filter((outcome) => outcome === 'ok').length, 12)
  assert.ok(outcomes.every((outcome) => outcome === 'ok' || outcome === 'BUDGET_EXCEEDED'))
})

test('what calls under way hold counts, and is free again when they took less or nothing', async () => {
  await using gateway = await start({ monthlyCapUsd: 1 })
  await step(gateway, 'reserve', callOf({ maxCostUsd: 0.6 }))
  await step(gateway, 'reserve', callOf({ maxCostUsd: 0.6 }))
  await assert.rejects(pay(gateway), { code: 'BUDGET_EXCEEDED' })
  gateway.clock.advance(3 * 60)
  await gateway.runJob('budgets.charge-lost')
  assert.equal((await gateway.call('budgets_status')).heldUsd, 0)
  const nothing = callOf({ maxCostUsd: 5 })
  for (const name of ['reserve', 'release'] as const) await step(gateway, name, nothing)
  await pay(gateway, { maxCostUsd: 5, costUsd: 0.25 })
  assert.deepEqual([await spentIn(gateway), (await gateway.call('budgets_status')).heldUsd], [0.25 + 2 * 0.06, 0])
})

test('a call that would be refused lets go of what dead processes hold, without waiting for the job', async () => {
  await using gateway = await start({ monthlyCapUsd: 1 })
  await step(gateway, 'reserve', callOf({ maxCostUsd: 2 }))
  gateway.clock.advance(3 * 60)
  await pay(gateway, { costUsd: 0.5 })
  assert.equal((await gateway.call('budgets_status')).heldUsd, 0)
})

test('from downgradeAt of a cap on, calls are advised to take a cheaper tier, with the reason', async () => {
  await using gateway = await start({ monthlyCapUsd: 1, downgradeAt: 0.5, channels: { chat: { monthlyCapUsd: 0.1 } } })
  const advice = (channel: string) => step(gateway, 'advise', { channel, member: 'ada' })
  await pay(gateway, { costUsd: 0.049, channel: 'chat' })
  assert.deepEqual(await advice('chat'), { downgrade: false })
  await pay(gateway, { costUsd: 0.001, channel: 'chat' })
  const { downgrade, reason } = await advice('chat')
  assert.equal(downgrade, true)
  assert.match(reason, /^0\.05 USD are spent of the cap budgets\.channels\.chat\.monthlyCapUsd of 0\.1 USD/)
  assert.deepEqual(await advice('mcp'), { downgrade: false })
  await pay(gateway, { costUsd: 0.45 })
  assert.equal((await advice('mcp')).downgrade, true)
  assert.equal((await gateway.call('budgets_status')).state, 'downgrade')
})
