import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CallOptions, refusal } from '@gateway/testing'
import { at, MINUTE, of, start, type TestGateway } from './support.ts'

const enter = async (gateway: TestGateway, args: object = {}, options?: CallOptions) =>
  (await gateway.call('fleet_maintenance_enter', args, options)).maintenance
const exit = (gateway: TestGateway, options?: CallOptions) => gateway.call('fleet_maintenance_exit', {}, options)
const create = (gateway: TestGateway, options?: CallOptions) => gateway.call('tasks_create', { repo: 'web', title: 'x' }, options)
const claim = (gateway: TestGateway, options?: CallOptions, args: object = {}) =>
  gateway.call('tasks_claim', { claimedBy: 'ada', ...args }, options)
const isOpen = async (gateway: TestGateway, options?: CallOptions): Promise<boolean> =>
  (await gateway.call('tasks_next', {}, options)).task !== null

test('during maintenance no task is claimed, also not by its id, and the answer says why and until when', async () => {
  await using gateway = await start()
  const { task } = await create(gateway)
  await enter(gateway, { reason: 'a new disk', resumeInMinutes: 30 })
  const reason = `The fleet is in maintenance: a new disk (until ${at(gateway, 30 * MINUTE)})`
  for (const args of [{}, { taskId: task.taskId }, { repo: 'web' }]) {
    assert.deepEqual(await claim(gateway, undefined, args), { claimed: false, reason })
  }
  assert.deepEqual(await gateway.call('tasks_next'), { task: null, reason })
  assert.equal((await gateway.call('tasks.get', { taskId: task.taskId })).task.status, 'pending')
})

test('exit lets tasks be claimed again; without maintenance it says that there was none', async () => {
  await using gateway = await start()
  await create(gateway)
  await enter(gateway)
  assert.deepEqual(await claim(gateway), { claimed: false, reason: 'The fleet is in maintenance' })
  assert.deepEqual(await exit(gateway), { resumed: true, maintenance: { active: false } })
  assert.deepEqual(await exit(gateway), { resumed: false, maintenance: { active: false } })
  assert.equal((await claim(gateway)).claimed, true)
})

test('the answer tells the window: who answers for it, why, since when, until when', async () => {
  await using gateway = await start()
  const entered = { active: true, scope: 'fleet', operatorPrincipal: 'operator', enteredAt: at(gateway) }
  assert.deepEqual(await enter(gateway), { ...entered, operator: 'operator' })
  const resumeAt = at(gateway, 60)
  const args = { reason: 'disk', operator: 'ann', resumeAt }
  assert.deepEqual(await enter(gateway, args), { ...entered, ...args })
})

test('claims resume by themselves when resumeAt has come, and when resumeInMinutes are over, to the millisecond', async () => {
  await using gateway = await start()
  await create(gateway)
  for (const args of [{ resumeInMinutes: 1.5 }, { resumeAt: at(gateway, 180) }]) {
    await enter(gateway, args)
    gateway.clock.advance(89.999)
    assert.equal(await isOpen(gateway), false)
    gateway.clock.advance(0.001)
    assert.equal(await isOpen(gateway), true)
  }
  assert.deepEqual(await exit(gateway), { resumed: false, maintenance: { active: false } }, 'it is over already')
})

test('entered again it is rescheduled: one window, since when it was, with the new time or none', async () => {
  await using gateway = await start()
  await create(gateway)
  const { enteredAt } = await enter(gateway, { reason: 'disk', resumeInMinutes: 1 })
  gateway.clock.advance(30)
  const again = await enter(gateway, { resumeInMinutes: 1 })
  assert.deepEqual([again.enteredAt, again.resumeAt, again.reason], [enteredAt, at(gateway, 60), 'disk'])
  gateway.clock.advance(59)
  assert.equal(await isOpen(gateway), false)
  assert.equal((await enter(gateway)).resumeAt, undefined)
  gateway.clock.advance(7 * 86_400)
  assert.equal(await isOpen(gateway), false)
  await exit(gateway)
  assert.equal(await isOpen(gateway), true)
})

test('a window that is over leaves nothing to the next', async () => {
  await using gateway = await start()
  await enter(gateway, { reason: 'disk', resumeInMinutes: 1 })
  gateway.clock.advance(60)
  const entered = { active: true, scope: 'fleet', operator: 'operator', operatorPrincipal: 'operator', enteredAt: at(gateway) }
  assert.deepEqual(await enter(gateway), entered)
})

test('a time is in ISO 8601 with its zone, lies in the future, and there is one', async () => {
  await using gateway = await start()
  const { resumeAt } = await enter(gateway, { resumeAt: '2030-01-01T02:00:00+02:00' })
  assert.equal(resumeAt, '2030-01-01T00:00:00.000Z')
  await exit(gateway)
  for (const wrong of [
    'soon',
    '2030-01-01',
    '2030-01-01T00:00:00',
    '2030-13-01T00:00:00Z',
    '2030-02-30T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    at(gateway),
    at(gateway, -1),
  ]) {
    await assert.rejects(enter(gateway, { resumeAt: wrong }), refusal('BAD_REQUEST', 'resumeAt'), wrong)
  }
  for (const resumeInMinutes of [0, -1, 1e9, '5 minutes']) {
    await assert.rejects(enter(gateway, { resumeInMinutes }), refusal('BAD_REQUEST', 'resumeInMinutes'))
  }
  await assert.rejects(enter(gateway, { resumeInMinutes: 5, resumeAt: at(gateway, 60) }), refusal('BAD_REQUEST', 'resumeInMinutes'))
  assert.equal((await gateway.call('fleet_overview')).maintenance.active, false, 'nothing was entered')
})

test('the operator pauses every tenant, those included that come later', async () => {
  await using gateway = await start()
  await create(gateway, of('acme'))
  await enter(gateway)
  await create(gateway, of('later'))
  for (const tenant of ['acme', 'later', 'local']) assert.equal((await claim(gateway, of(tenant))).claimed, false, tenant)
  await exit(gateway)
  for (const tenant of ['acme', 'later']) assert.equal((await claim(gateway, of(tenant))).claimed, true, tenant)
})

test('a tenant pauses and resumes itself alone', async () => {
  await using gateway = await start()
  for (const tenant of ['acme', 'bolt']) await create(gateway, of(tenant))
  assert.equal((await enter(gateway, {}, of('acme'))).scope, 'tenant')
  assert.deepEqual(await claim(gateway, of('acme')), { claimed: false, reason: 'This tenant is in maintenance' })
  assert.equal((await claim(gateway, of('bolt'))).claimed, true)
  assert.equal((await exit(gateway, of('bolt'))).resumed, false)
  assert.equal(await isOpen(gateway, of('acme')), false)
  assert.equal((await exit(gateway, of('acme'))).resumed, true)
  assert.equal((await claim(gateway, of('acme'))).claimed, true)
})

test('a tenant does not end the maintenance of the fleet, and is told that it goes on; nor does the operator end a tenant’s', async () => {
  await using gateway = await start()
  await create(gateway, of('acme'))
  await enter(gateway, { reason: 'disk' })
  await enter(gateway, {}, of('acme'))
  const { resumed, maintenance } = await exit(gateway, of('acme'))
  assert.deepEqual([resumed, maintenance.active, maintenance.scope, maintenance.reason], [true, true, 'fleet', 'disk'])
  assert.equal(await isOpen(gateway, of('acme')), false)
  await enter(gateway, {}, of('acme'))
  await exit(gateway)
  assert.equal(await isOpen(gateway, of('acme')), false)
})

test('maintenance outlives a restart', async () => {
  await using gateway = await start()
  await create(gateway)
  await enter(gateway, { resumeInMinutes: 1 })
  await gateway.restart()
  assert.equal(await isOpen(gateway), false)
  gateway.clock.advance(60)
  assert.equal(await isOpen(gateway), true)
})

test('it needs the capability configure, and is audited with its terms', async () => {
  await using gateway = await start({ env: { RBAC_ENFORCE: '1' } })
  const member = { as: { tenantId: 'acme', kind: 'user', role: 'member' } } as const
  await assert.rejects(enter(gateway, {}, member), { code: 'FORBIDDEN' })
  await assert.rejects(exit(gateway, member), { code: 'FORBIDDEN' })
  await enter(gateway, { reason: 'disk' }, of('acme'))
  await exit(gateway, of('acme'))
  const records = (await gateway.audit('acme')).filter(({ name }) => name === 'fleet.maintenance')
  const actions = records.map(({ details }) => details as Record<string, unknown>).map(({ action, reason }) => [action, reason])
  assert.deepEqual(actions, [
    ['enter', 'disk'],
    ['exit', undefined],
  ])
})

test('what is in work goes on: it is ended and given back as always', async () => {
  await using gateway = await start()
  await create(gateway)
  const { task } = await claim(gateway)
  await enter(gateway)
  const { taskId, claimId } = task
  assert.equal((await gateway.call('tasks_update', { taskId, claimId, status: 'done' })).task.status, 'done')
  assert.equal((await create(gateway)).task.status, 'pending')
})

test('over REST: entered, and ended', async () => {
  await using gateway = await start()
  const entered = await gateway.inject({ method: 'POST', url: '/api/fleet/maintenance', body: { reason: 'disk' } })
  assert.deepEqual([entered.status, entered.json().maintenance.reason], [200, 'disk'])
  const ended = await gateway.inject({ method: 'POST', url: '/api/fleet/maintenance/exit' })
  assert.deepEqual([ended.status, ended.json().resumed], [200, true])
})
