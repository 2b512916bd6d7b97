import assert from 'node:assert/strict'
import { test } from 'node:test'
import { member, start } from './support.ts'

const counted = ({ steps }: { steps: readonly { step: string; tenants: number }[] }) =>
  Object.fromEntries(steps.map(({ step, tenants }) => [step, tenants]))

/** Four tenants: one that did nothing, one that began, one that went all the way, one that ships without a brain. */
async function fleet() {
  const it = await start()
  for (const tenantId of ['idle', 'began', 'whole', 'ships']) await it.signUp(tenantId)
  await it.gateway.call('tasks_create', { repo: 'r', title: 't' }, { as: member('began') })
  await it.ship('whole')
  for (const step of ['first_brain_boot', 'first_brain_delta', 'wrapup_merge'] as const) await it.step('whole', step)
  await it.ship('ships')
  for (const tenantId of ['began', 'whole', 'ships']) await it.begun(tenantId)
  return it
}

test('a tenant sees its own way by default: the five steps, and when each was done first', async () => {
  await using it = await start()
  const { createdAt } = await it.signUp('acme')
  it.days(1)
  await it.step('acme', 'first_brain_boot')
  const at = new Date(it.gateway.clock.now()).toISOString()
  it.days(1)
  await it.step('acme', 'first_brain_boot')
  assert.deepEqual(await it.funnel({}, member('acme')), {
    view: 'own',
    journey: [
      { step: 'signup', reached: true, at: createdAt },
      { step: 'init', reached: false },
      { step: 'first_brain_boot', reached: true, at },
      { step: 'first_brain_delta', reached: false },
      { step: 'wrapup_merge', reached: false },
    ],
  })
})

test('init is the first call that may change something, reads are none, and it stays what it was', async () => {
  await using it = await start()
  await it.signUp('acme')
  await it.gateway.call('tasks_list', {}, { as: member('acme') })
  assert.deepEqual((await it.gateway.documents('acme')).funnel, [])
  const at = new Date(it.gateway.clock.now()).toISOString()
  await it.gateway.call('tasks_create', { repo: 'r', title: 't' }, { as: member('acme') })
  await it.begun('acme')
  it.days(1)
  await it.gateway.restart()
  await it.gateway.call('tasks_create', { repo: 'r', title: 't' }, { as: member('acme') })
  for (let i = 0; i < 20; i++) await new Promise(setImmediate)
  assert.deepEqual((await it.funnel({}, member('acme'))).journey[1], { step: 'init', reached: true, at })
})

test('fleet counts the tenants of each step, and the part that came to the last', async () => {
  await using it = await fleet()
  const answer = await it.funnel({ fleet: true })
  assert.deepEqual([answer.view, answer.tenants, answer.activationRate], ['fleet', 4, 0.25])
  assert.deepEqual(counted(answer), { signup: 4, init: 3, first_brain_boot: 1, first_brain_delta: 1, wrapup_merge: 1 })
})

test('selfServe goes from sign-up over the first task shipped to staying: a task shipped a week later', async () => {
  await using it = await fleet()
  it.days(6)
  await it.ship('whole')
  assert.deepEqual(counted(await it.funnel({ selfServe: true })), { signup: 4, init: 3, first_task_shipped: 2, retained: 0 })
  it.days(1)
  await it.ship('whole')
  const answer = await it.funnel({ selfServe: true })
  assert.deepEqual([counted(answer), answer.conversionRate], [{ signup: 4, init: 3, first_task_shipped: 2, retained: 1 }, 0.25])
})

test('hostedBrain goes from sign-up to the first merge', async () => {
  await using it = await fleet()
  const answer = await it.funnel({ hostedBrain: true })
  assert.deepEqual(
    [counted(answer), answer.conversionRate],
    [{ signup: 4, first_brain_boot: 1, first_brain_delta: 1, wrapup_merge: 1 }, 0.25],
  )
})

test('dropoff says behind which stage how many are lost, and has a funnel for each cohort, by month or by week', async () => {
  await using it = await fleet()
  it.days(31)
  await it.signUp('later')
  const answer = await it.funnel({ dropoff: true })
  assert.deepEqual(answer.stages, [
    { stage: 'signup', reached: 5, droppedOff: 2, dropoffRate: 0.4 },
    { stage: 'init', reached: 3, droppedOff: 2, dropoffRate: 0.6667 },
    { stage: 'first_brain_boot', reached: 1, droppedOff: 0, dropoffRate: 0 },
    { stage: 'first_brain_delta', reached: 1, droppedOff: 0, dropoffRate: 0 },
  ])
  assert.equal(answer.worstStage, 'signup')
  const months = answer.cohorts.map(({ cohort, tenants, activationRate }: Record<string, unknown>) => [cohort, tenants, activationRate])
  const month = (days: number) => new Date(it.gateway.clock.now() - days * 86_400_000).toISOString().slice(0, 7)
  assert.deepEqual(months, [
    [month(31), 4, 0.25],
    [month(0), 1, 0],
  ])
  assert.match((await it.funnel({ dropoff: true, cohort: 'week' })).cohorts[0].cohort, /^\d{4}-W\d\d$/)
})

test('of several views dropoff goes first, then hostedBrain, selfServe, fleet; what is false is not set', async () => {
  await using it = await start()
  const view = async (args: object) => (await it.funnel(args)).view
  assert.equal(await view({ dropoff: true, hostedBrain: true, selfServe: true, fleet: true }), 'dropoff')
  assert.equal(await view({ hostedBrain: true, selfServe: true, fleet: true }), 'hostedBrain')
  assert.equal(await view({ selfServe: true, fleet: true }), 'selfServe')
  assert.equal(await view({ fleet: true, dropoff: false }), 'fleet')
  assert.equal(await view({ fleet: false }), 'own')
})

test('sinceDays leaves out who signed up before', async () => {
  await using it = await fleet()
  it.days(10)
  await it.signUp('later')
  assert.equal((await it.funnel({ fleet: true, sinceDays: 5 })).tenants, 1)
  assert.equal((await it.funnel({ fleet: true, sinceDays: 11 })).tenants, 5)
})

test('nobody is in a funnel: every rate is 0 and there is no worst stage', async () => {
  await using it = await start()
  const { activationRate, tenants } = await it.funnel({ fleet: true })
  assert.deepEqual([activationRate, tenants], [0, 0])
  const { worstStage, cohorts } = await it.funnel({ dropoff: true })
  assert.deepEqual([worstStage, cohorts], [null, []])
})

test('views over all tenants are the operator’s, enforcement or not', async () => {
  await using it = await start()
  for (const view of ['fleet', 'selfServe', 'hostedBrain', 'dropoff']) {
    await assert.rejects(it.funnel({ [view]: true }, { ...member('acme'), role: 'owner' }), { code: 'FORBIDDEN' })
  }
})

test('a synthetic tenant is on no way, and in no funnel', async () => {
  await using it = await start()
  const tenantId = 'synthetic.trial'
  await it.gateway.tenants.create({ name: 'Trial', plan: 'free', tenantId, synthetic: true })
  await it.ship(tenantId)
  await it.step(tenantId, 'first_brain_boot')
  for (let i = 0; i < 20; i++) await new Promise(setImmediate)
  assert.deepEqual((await it.gateway.documents(tenantId)).funnel, [])
  assert.equal((await it.funnel({ fleet: true })).tenants, 0)
})

test('a bad argument is refused by name', async () => {
  await using it = await start()
  await assert.rejects(it.funnel({ cohort: 'day' }), { code: 'BAD_REQUEST', message: /cohort/ })
  await assert.rejects(it.funnel({ sinceDays: 0 }), { code: 'BAD_REQUEST', message: /sinceDays/ })
})
