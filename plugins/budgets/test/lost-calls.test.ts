import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callOf, start, step, type TestGateway } from './support.ts'

const ADMIN = 'an-admin-token-of-some-length'
const admin = { env: { ADMIN_API_TOKEN: ADMIN } }
const LIFE_SECONDS = 120

const rowsOf = async (gateway: TestGateway) =>
  (await gateway.inject({ method: 'GET', url: '/api/budgets/usage', headers: { 'x-admin-token': ADMIN } })).json().rows
const expire = async (gateway: TestGateway): Promise<void> => {
  gateway.clock.advance(LIFE_SECONDS + 1)
  await gateway.runJob('budgets.charge-lost')
}
const figures = async (gateway: TestGateway) => {
  const { monthToDateUsd, heldUsd } = await gateway.call('budgets_status')
  const { totalUsd, calls } = await gateway.call('budgets_breakdown')
  return { monthToDateUsd, heldUsd, totalUsd, calls }
}

for (const [caps, config] of [
  ['with a cap', { monthlyCapUsd: 10, models: { '*': { dailyCapUsd: 5 } } }],
  ['without one', {}],
] as const) {
  test(`a call whose process died is charged with the cost on record and marked as an estimate, ${caps}`, async () => {
    await using gateway = await start(config, admin)
    const lost = callOf({ maxCostUsd: 1, agent: 'planner' })
    await step(gateway, 'reserve', lost)
    await step(gateway, 'check', { ...lost, costUsd: 0.01 })
    await step(gateway, 'cover', { ...lost, covered: { inputTokens: 120, outputTokens: 384, costUsd: 0.25, priced: true } })
    await expire(gateway)
    assert.deepEqual(await figures(gateway), { monthToDateUsd: 0.25, heldUsd: 0, totalUsd: 0.25, calls: 1 })
    const [row] = await rowsOf(gateway)
    const { outcome, estimated, inputTokens, outputTokens, agent, model } = row
    assert.deepEqual(
      { outcome, estimated, inputTokens, outputTokens, agent, model },
      { outcome: 'lost', estimated: true, inputTokens: 120, outputTokens: 384, agent: 'planner', model: 'big' },
    )
    await expire(gateway)
    assert.equal((await rowsOf(gateway)).length, 1, 'it is charged once')
  })
}

test('a call that is under way renews its reservation and is not taken for lost', async () => {
  for (const config of [{ monthlyCapUsd: 10 }, {}]) {
    await using gateway = await start(config, admin)
    const long = callOf({ maxCostUsd: 1, costUsd: 0.5 })
    await step(gateway, 'reserve', long)
    for (let minute = 0; minute < 60; minute++) {
      await step(gateway, 'check', { ...long, costUsd: 0.1 })
      gateway.clock.advance(60)
      await gateway.runJob('budgets.charge-lost')
    }
    assert.equal((await rowsOf(gateway)).length, 0)
    await step(gateway, 'settle', long)
    assert.deepEqual(await figures(gateway), { monthToDateUsd: 0.5, heldUsd: 0, totalUsd: 0.5, calls: 1 })
    await expire(gateway)
    assert.equal((await rowsOf(gateway)).length, 1)
  }
})

test('a call of a paused process that ends after it was charged as lost replaces its estimate, in rows, sums and meters', async () => {
  await using gateway = await start({ monthlyCapUsd: 10, agents: { '*': { monthlyCapUsd: 5 } } }, admin)
  const [paused, unused] = [callOf({ maxCostUsd: 1, costUsd: 0.5, agent: 'planner' }), callOf({ maxCostUsd: 1 })]
  for (const call of [paused, unused]) await step(gateway, 'reserve', call)
  await expire(gateway)
  assert.deepEqual(await figures(gateway), { monthToDateUsd: 0.2, heldUsd: 0, totalUsd: 0.2, calls: 2 })
  await step(gateway, 'settle', paused)
  await step(gateway, 'release', unused)
  assert.deepEqual(await figures(gateway), { monthToDateUsd: 0.5, heldUsd: 0, totalUsd: 0.5, calls: 1 })
  const { caps } = await gateway.call('budgets_status')
  assert.deepEqual(
    caps.map(({ cap, spentUsd, heldUsd }: { cap: string; spentUsd: number; heldUsd: number }) => [cap, spentUsd, heldUsd]),
    [['agents.*.monthlyCapUsd of planner', 0.5, 0]],
  )
  assert.deepEqual(
    (await rowsOf(gateway)).map(({ outcome }: { outcome: string }) => outcome),
    ['ok'],
  )
})

test('the cost on record of a lost call counts against its cap', async () => {
  await using gateway = await start({ monthlyCapUsd: 0.1 })
  await step(gateway, 'reserve', callOf({ maxCostUsd: 1 }))
  gateway.clock.advance(LIFE_SECONDS + 1)
  await assert.rejects(step(gateway, 'reserve', callOf()), /0\.1 USD are spent/)
})

test('a call that settles while its record is being extended leaves nothing behind', async () => {
  await using gateway = await start({ monthlyCapUsd: 10 })
  const call = callOf({ maxCostUsd: 1, costUsd: 0.5 })
  await step(gateway, 'reserve', call)
  const covered = { inputTokens: 120, outputTokens: 384, costUsd: 0.25, priced: true }
  await Promise.all([
    step(gateway, 'cover', { ...call, covered }),
    step(gateway, 'check', { ...call, costUsd: 0.1 }),
    step(gateway, 'settle', call),
    step(gateway, 'cover', { ...call, covered }),
  ])
  const documents = await gateway.documents()
  assert.deepEqual(documents['budgets.reservations'] ?? [], [])
  const meters = documents['budgets.meters'] as { heldNanos: number; runningNanos: number; spentNanos: number }[]
  for (const { heldNanos, runningNanos, spentNanos } of meters) assert.deepEqual([heldNanos, runningNanos, spentNanos], [0, 0, 500_000_000])
})
