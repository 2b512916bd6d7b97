import assert from 'node:assert/strict'
import { test } from 'node:test'
import mailbox from '@gateway/plugin-mailbox'
import { refusal } from '@gateway/testing'
import { admin, at, create, get, MINUTE, start, target, tick, update } from './support.ts'

test('what is given changes, what is not given stays', async () => {
  await using gateway = await start()
  const before = await create(gateway, { kind: 'agent', target: 'writer', message: 'Write.', repo: 'web' })
  gateway.clock.advance(MINUTE)
  const renamed = await update(gateway, before, { name: 'New name' })
  assert.deepEqual(renamed, { ...before, name: 'New name', updatedAt: at('09:01') })
  const changed = await update(gateway, before, { message: 'Write more.', repo: 'api', includeMemoryContext: true })
  assert.deepEqual(changed, {
    ...renamed,
    message: 'Write more.',
    repo: 'api',
    includeMemoryContext: true,
    updatedAt: '2026-01-05T09:01:00.001Z',
  })
  assert.deepEqual(await get(gateway, before), changed)
})

test('a new cronExpr counts from now, and the answer shows the next three fires', async () => {
  await using gateway = await start()
  const { scheduleId } = await create(gateway, { cronExpr: '0 12 * * *' })
  gateway.clock.advance(30 * MINUTE)
  const { schedule, nextRuns } = await gateway.call('schedules_update', { scheduleId, cronExpr: '*/10 * * * *' })
  assert.equal(schedule.nextRun, at('09:40'))
  assert.deepEqual(nextRuns, [at('09:40'), at('09:50'), at('10:00')])
})

test('without a new cronExpr the next run stays, also one that is due', async () => {
  const { plugin, calls } = target()
  await using gateway = await start({ plugins: [plugin] })
  const before = await create(gateway)
  gateway.clock.advance(6 * MINUTE)
  assert.equal((await update(gateway, before, { name: 'x', enabled: true })).nextRun, at('09:05'))
  await tick(gateway)
  assert.equal(calls.length, 1)
})

test('switched off it does not run; switched on again it counts from now, and makes up for nothing', async () => {
  const { plugin, calls } = target()
  await using gateway = await start({ plugins: [plugin] })
  const schedule = await create(gateway)
  await update(gateway, schedule, { enabled: false })
  gateway.clock.advance(17 * MINUTE)
  await tick(gateway)
  assert.equal((await update(gateway, schedule, { enabled: true })).nextRun, at('09:20'))
  await tick(gateway)
  assert.equal(calls.length, 0)
  gateway.clock.advance(3 * MINUTE)
  await tick(gateway)
  assert.equal(calls.length, 1)
})

test('kind and target cannot be changed', async () => {
  await using gateway = await start()
  const schedule = await create(gateway)
  for (const [field, value] of [
    ['kind', 'agent'],
    ['target', 'ring_configured'],
  ] as const) {
    await assert.rejects(update(gateway, schedule, { [field]: value }), refusal('BAD_REQUEST', field))
  }
})

test('it is checked as at creation, and nothing changes', async () => {
  await using gateway = await start()
  const schedule = await create(gateway, { message: '{"text":"a"}' })
  const wrong: [object, string][] = [
    [{ cronExpr: '* * 32 * *' }, 'cronExpr'],
    [{ cronExpr: '0 0 30 2 *' }, 'cronExpr'],
    [{ name: ' ' }, 'name'],
    [{ message: 'b' }, 'message'],
    [{ message: '[]' }, 'message'],
    [{ repo: 'web' }, 'repo'],
    [{ includeMemoryContext: true }, 'includeMemoryContext'],
  ]
  for (const [args, field] of wrong) await assert.rejects(update(gateway, schedule, args), refusal('BAD_REQUEST', field))
  assert.deepEqual(await get(gateway, schedule), schedule)
})

test('an id that is unknown, or another tenant’s, is NOT_FOUND; over REST a 404', async () => {
  await using gateway = await start()
  const theirs = await create(gateway, {}, { as: admin })
  for (const scheduleId of ['schedule-x', theirs.scheduleId]) {
    await assert.rejects(update(gateway, { scheduleId }, { name: 'x' }), refusal('NOT_FOUND'))
    const { status } = await gateway.inject({ method: 'PATCH', url: `/api/schedules/${scheduleId}`, body: { name: 'x' } })
    assert.equal(status, 404)
  }
  assert.deepEqual(await get(gateway, theirs, { as: admin }), theirs)
})

test('PATCH changes it', async () => {
  await using gateway = await start()
  const { scheduleId } = await create(gateway)
  const { status, json } = await gateway.inject({ method: 'PATCH', url: `/api/schedules/${scheduleId}`, body: { enabled: false } })
  assert.deepEqual([status, json().schedule.enabled], [200, false])
})

test('it takes the capability configure', async () => {
  await using gateway = await start({ env: { RBAC_ENFORCE: 'on' } })
  const schedule = await create(gateway)
  await assert.rejects(update(gateway, schedule, { name: 'x' }, { as: { kind: 'user', role: 'member' } }), refusal('FORBIDDEN'))
})

test('clear removes optional fields; a null removes none, and a field cannot be given and removed at once', async () => {
  await using gateway = await start({ plugins: [target().plugin, mailbox] })
  const given = { kind: 'agent', target: 'writer', message: 'Write.', repo: 'web', deliverTo: 'ann' }
  const before = await create(gateway, given, { as: admin })
  const stays = await update(gateway, before, { message: null, repo: null, deliverTo: null, clear: [] }, { as: admin })
  assert.deepEqual({ ...stays, updatedAt: '' }, { ...before, updatedAt: '' })
  await assert.rejects(
    update(gateway, before, { clear: ['repo', 'deliverTo'], deliverTo: 'bob' }, { as: admin }),
    refusal('BAD_REQUEST', 'clear', /`clear` must name fields that are not given as well; got "deliverTo"/),
  )
  await assert.rejects(update(gateway, before, { clear: ['name'] }, { as: admin }), refusal('BAD_REQUEST', 'clear[0]'))
  const bob = { ...admin, id: 'bob' }
  const { message: _message, repo: _repo, deliverTo: _deliverTo, ...rest } = before
  assert.deepEqual(
    { ...(await update(gateway, before, { clear: ['repo', 'deliverTo', 'message'] }, { as: bob })), updatedAt: '' },
    {
      ...rest,
      actsAs: { id: 'bob', role: 'admin' },
      updatedAt: '',
    },
  )
})

test('fields that another one needs cannot be removed', async () => {
  await using gateway = await start()
  const schedule = await create(gateway, { kind: 'agent', target: 'writer', repo: 'web', includeMemoryContext: true })
  await assert.rejects(update(gateway, schedule, { clear: ['repo'] }), refusal('BAD_REQUEST', 'repo'))
  assert.equal((await get(gateway, schedule)).repo, 'web')
})

test('GET /api/schedules/{scheduleId} shows one schedule', async () => {
  await using gateway = await start()
  const schedule = await create(gateway, { message: '{"text":"a"}' })
  const url = `/api/schedules/${schedule.scheduleId}`
  assert.deepEqual((await gateway.inject({ method: 'GET', url })).json(), { schedule })
  assert.equal((await gateway.inject({ method: 'GET', url: '/api/schedules/schedule-0' })).status, 404)
})
