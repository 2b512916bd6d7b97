import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { admin, create, get, list, MINUTE, start, target, tick } from './support.ts'

test('it is gone for good, and does not run any more', async () => {
  const { plugin, calls } = target()
  await using gateway = await start({ plugins: [plugin] })
  const [gone, kept] = [await create(gateway), await create(gateway, { cronExpr: '0 23 * * *' })]
  assert.deepEqual(await gateway.call('schedules_delete', { scheduleId: gone.scheduleId }), { schedule: gone })
  assert.deepEqual(await list(gateway), [kept])
  assert.deepEqual(await gateway.documents(), { schedules: [kept], 'schedules.runs': [], 'schedules.deliveries': [] })
  gateway.clock.advance(10 * MINUTE)
  await tick(gateway)
  assert.equal(calls.length, 0)
})

test('an id that is unknown, removed before, or another tenant’s, is NOT_FOUND; over REST a 404', async () => {
  await using gateway = await start()
  const theirs = await create(gateway, {}, { as: admin })
  const { scheduleId } = await create(gateway)
  const { status, json } = await gateway.inject({ method: 'DELETE', url: `/api/schedules/${scheduleId}` })
  assert.deepEqual([status, json().schedule.scheduleId], [200, scheduleId])
  for (const id of ['schedule-x', scheduleId, theirs.scheduleId]) {
    await assert.rejects(gateway.call('schedules_delete', { scheduleId: id }), refusal('NOT_FOUND'))
    assert.equal((await gateway.inject({ method: 'DELETE', url: `/api/schedules/${id}` })).status, 404)
  }
  assert.deepEqual(await get(gateway, theirs, { as: admin }), theirs)
})

test('it takes the capability configure', async () => {
  await using gateway = await start({ env: { RBAC_ENFORCE: 'on' } })
  const { scheduleId } = await create(gateway)
  await assert.rejects(gateway.call('schedules_delete', { scheduleId }, { as: { kind: 'user', role: 'member' } }), refusal('FORBIDDEN'))
})
