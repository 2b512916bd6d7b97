import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callOf, pay, start, step } from './support.ts'

const refusedBy = (cap: string) => ({ code: 'BUDGET_EXCEEDED', status: 402, details: { cap } })
const rejects = async (call: Promise<unknown>, cap: string) => {
  const error = await call.then(
    () => assert.fail('the call was not refused'),
    (thrown) => thrown,
  )
  assert.equal(error.code, refusedBy(cap).code)
  assert.equal(error.details.cap, cap)
}

test('a key, an agent and a model that reached its cap is refused by name, and others go on', async () => {
  await using gateway = await start({
    keys: { ci: { dailyCapUsd: 1 } },
    agents: { planner: { monthlyCapUsd: 1 } },
    models: { big: { monthlyCapUsd: 1 } },
  })
  await pay(gateway, { key: 'ci', costUsd: 1, model: 'small' })
  await pay(gateway, { agent: 'planner', costUsd: 1, model: 'small' })
  await pay(gateway, { model: 'big', costUsd: 1 })
  await rejects(pay(gateway, { key: 'ci', model: 'small' }), 'keys.ci.dailyCapUsd')
  await rejects(pay(gateway, { agent: 'planner', model: 'small' }), 'agents.planner.monthlyCapUsd')
  await rejects(pay(gateway, { model: 'big' }), 'models.big.monthlyCapUsd')
  await pay(gateway, { key: 'other', agent: 'other', model: 'small' })
})

test('of several reached caps the refusal names the first of key, agent, model, tenant, plan', async () => {
  const cap = { monthlyCapUsd: 1 }
  await using gateway = await start({ keys: { ci: cap }, agents: { planner: cap }, models: { big: cap }, tenants: { local: cap } })
  await pay(gateway, { key: 'ci', agent: 'planner', model: 'big', costUsd: 1 })
  await rejects(pay(gateway, { key: 'ci', agent: 'planner' }), 'keys.ci.monthlyCapUsd')
  await rejects(pay(gateway, { agent: 'planner' }), 'agents.planner.monthlyCapUsd')
  await rejects(pay(gateway, { model: 'big' }), 'models.big.monthlyCapUsd')
  await rejects(pay(gateway, { model: 'small' }), 'tenants.local.monthlyCapUsd')
})

test('a cap of a plan applies to each of its tenants separately', async () => {
  await using gateway = await start({ plans: { free: { monthlyCapUsd: 1 } } })
  const [one, other, paying] = ['one', 'other', 'paying'] as const
  for (const tenantId of [one, other, paying])
    await gateway.tenants.create({ name: tenantId, plan: tenantId === paying ? 'solo' : 'free', tenantId })
  await pay(gateway, { costUsd: 1 }, { tenantId: one })
  await rejects(pay(gateway, {}, { tenantId: one }), 'plans.free.monthlyCapUsd')
  await pay(gateway, {}, { tenantId: other })
  await pay(gateway, { costUsd: 1 }, { tenantId: paying })
  await pay(gateway, {}, { tenantId: paying })
})

test('the local tenant, which has no record, has the cap of the plan that whoami shows', async () => {
  await using gateway = await start({ plans: { scale: { monthlyCapUsd: 1 }, free: { monthlyCapUsd: 0 } } })
  await pay(gateway, { costUsd: 1 })
  await rejects(pay(gateway, {}), 'plans.scale.monthlyCapUsd')
})

test('a cap for a plan that does not exist, or for what is no id of a tenant, is refused at the start by its name', async () => {
  const cap = { monthlyCapUsd: 1 }
  await assert.rejects(start({ plans: { pro: cap } }), /budgets.*plans.*pro/)
  await assert.rejects(start({ tenants: { 'Acme Inc': cap } }), /budgets.*tenants.*Acme Inc/)
})

test('budgets_status shows each cap by name with what is spent and held', async () => {
  await using gateway = await start({ keys: { ci: { dailyCapUsd: 2 } }, models: { big: { monthlyCapUsd: 1 } } })
  await pay(gateway, { key: 'ci', costUsd: 1 })
  await step(gateway, 'reserve', callOf({ key: 'ci', model: 'small', maxCostUsd: 0.5 }))
  const { caps } = await gateway.call('budgets_status')
  assert.deepEqual(
    caps.map(({ cap, capUsd, spentUsd, heldUsd, state }: Record<string, unknown>) => ({ cap, capUsd, spentUsd, heldUsd, state })),
    [
      { cap: 'keys.ci.dailyCapUsd', capUsd: 2, spentUsd: 1, heldUsd: 0.5, state: 'ok' },
      { cap: 'models.big.monthlyCapUsd', capUsd: 1, spentUsd: 1, heldUsd: 0, state: 'exceeded' },
    ],
  )
})

test('the caps in budgets_status are the tightest that hold for the tenant: its own, of its plan and of the gateway', async () => {
  await using gateway = await start({
    monthlyCapUsd: 10,
    tenants: { own: { dailyCapUsd: 5 } },
    plans: { free: { monthlyCapUsd: 1 }, solo: { dailyCapUsd: 10 }, team: { monthlyCapUsd: 20 } },
  })
  const expected = { own: ['team', 10, 5], free: ['free', 1, null], solo: ['solo', 10, 10] } as const
  for (const [tenantId, [plan, monthly, daily]] of Object.entries(expected)) {
    await gateway.tenants.create({ name: tenantId, plan, tenantId })
    const shown = await gateway.call('budgets_status', {}, { as: { kind: 'api-key', role: 'owner', tenantId, id: `key:${tenantId}` } })
    assert.deepEqual([shown.monthlyCapUsd, shown.dailyCapUsd], [monthly, daily], tenantId)
    assert.deepEqual([shown.monthlyDowngradeUsd, shown.dailyDowngradeUsd], [monthly * 0.8, daily === null ? null : daily * 0.8])
  }
})

test('a running call is stopped when its own cost and what is spent reach a cap', async () => {
  await using gateway = await start({ monthlyCapUsd: 1 })
  await pay(gateway, { costUsd: 0.5 })
  const call = callOf({ maxCostUsd: 5 })
  await step(gateway, 'reserve', call)
  await step(gateway, 'check', { ...call, costUsd: 0.49 })
  await rejects(step(gateway, 'check', { ...call, costUsd: 0.5 }), 'monthlyCapUsd')
})

test('running calls are stopped when they reach a cap together, and one that has ended counts no more', async () => {
  await using gateway = await start({ monthlyCapUsd: 1 })
  const [one, other, third] = [callOf({ maxCostUsd: 0.1 }), callOf({ maxCostUsd: 0.1 }), callOf({ maxCostUsd: 0.1 })]
  for (const call of [one, other, third]) await step(gateway, 'reserve', call)
  await step(gateway, 'check', { ...one, costUsd: 0.6 })
  await rejects(step(gateway, 'check', { ...other, costUsd: 0.4 }), 'monthlyCapUsd')
  await step(gateway, 'release', one)
  await step(gateway, 'check', { ...other, costUsd: 0.4 })
  await step(gateway, 'check', { ...third, costUsd: 0.5 })
  await rejects(step(gateway, 'check', { ...third, costUsd: 0.6 }), 'monthlyCapUsd')
})

test('each named cap that is near or reached is an item of its own, and is in the worst state of all', async () => {
  await using gateway = await start({
    channels: { chat: { monthlyCapUsd: 4 } },
    keys: { ci: { dailyCapUsd: 1 } },
    agents: { planner: { monthlyCapUsd: 100 }, '*': { monthlyCapUsd: 2 } },
    models: { big: { monthlyCapUsd: 5 }, barred: { monthlyCapUsd: 0 } },
    tenants: { local: { monthlyCapUsd: 100 } },
  })
  const look = async () => {
    const { count, items } = (await gateway.inject({ method: 'GET', url: '/api/attention' })).json()
    assert.equal(count, items.length)
    return items.map(({ id, tone }: Record<string, string>) => `${id} ${tone}`).sort()
  }
  const states = async () => {
    const { state, worstState } = await gateway.call('budgets_status')
    return [state, worstState]
  }
  assert.deepEqual([await look(), await states()], [[], ['ok', 'ok']])
  await pay(gateway, { model: 'big', agent: 'planner', costUsd: 4 })
  assert.deepEqual([await look(), await states()], [['models.big.monthlyCapUsd warn'], ['ok', 'downgrade']])
  await pay(gateway, { model: 'small', key: 'ci', channel: 'chat', costUsd: 4 })
  await pay(gateway, { model: 'small', agent: 'writer', costUsd: 2 })
  assert.deepEqual(
    [await look(), await states()],
    [
      [
        'agents.*.monthlyCapUsd of writer bad',
        'channels.chat.monthlyCapUsd bad',
        'keys.ci.dailyCapUsd bad',
        'models.big.monthlyCapUsd warn',
      ],
      ['ok', 'exceeded'],
    ],
  )
  await pay(gateway, { model: 'small', costUsd: 90 })
  assert.deepEqual(
    (await look()).slice(0, 2),
    ['agents.*.monthlyCapUsd of writer bad', 'budget bad'],
    'the cap of the tenant is of all spending',
  )
})
