import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start, tenantOn } from './support.ts'

test('the snapshot of a plan has its features, and limits with what is used of them', async () => {
  await using gateway = await start()
  gateway.clock.set('2026-12-15T10:00:00Z')
  const free = await tenantOn(gateway, 'free')
  await gateway.call('gated_consume', { what: 'generationCredits', amount: 4 }, free)
  const { plan, features, limits } = await gateway.call('entitlements_status', {}, free)
  assert.deepEqual([plan, features.hostedBrain, features.schedules], ['free', false, true])
  const resetsAt = '2027-01-01T00:00:00.000Z'
  assert.deepEqual(limits, {
    repos: { limit: 3, used: 2, remaining: 1 },
    seats: { limit: 2, used: null, remaining: 2 },
    offHoursMinutes: { limit: 0, used: 0, remaining: 0, resetsAt },
    generationCredits: { limit: 10, used: 4, remaining: 6, resetsAt },
  })
  assert.equal((await gateway.inject({ method: 'GET', url: '/api/entitlements' })).json().plan, 'scale')
})

test('nothing is held back from the local tenant, and a plan that is changed holds at once', async () => {
  await using gateway = await start()
  const { limits } = await gateway.call('entitlements_status')
  assert.deepEqual([limits.repos.limit, limits.repos.remaining], [null, null])
  const free = await tenantOn(gateway, 'free')
  await assert.rejects(gateway.call('gated_feature', { what: 'hostedBrain' }, free), { code: 'NOT_ENTITLED' })
  await gateway.tenants.change(free.as.tenantId, { plan: 'solo' })
  await gateway.call('gated_feature', { what: 'hostedBrain' }, free)
})

test('what a plan has not is refused with the plans that have it', async () => {
  await using gateway = await start({ plans: { solo: { features: { hostedBrain: false } } } })
  for (const [plan, allowed] of [
    ['free', false],
    ['solo', false],
    ['team', true],
    ['scale', true],
  ] as const) {
    const call = gateway.call('gated_feature', { what: 'hostedBrain' }, await tenantOn(gateway, plan))
    if (allowed) await call
    else
      await assert.rejects(call, { code: 'NOT_ENTITLED', status: 403, details: { feature: 'hostedBrain', plan, plans: ['team', 'scale'] } })
  }
})

test('what is counted by others is refused when no more of it fits', async () => {
  await using gateway = await start()
  const free = await tenantOn(gateway, 'free')
  await gateway.call('gated_room', { what: 'repos' }, free)
  await assert.rejects(gateway.call('gated_room', { what: 'repos', amount: 2 }, free), {
    code: 'PLAN_LIMIT_REACHED',
    details: { limit: 'repos', plan: 'free', allowed: 3, used: 2, wanted: 2 },
  })
  await gateway.call('gated_room', { what: 'repos', amount: 1_000 }, await tenantOn(gateway, 'scale'))
})

test('of callers side by side none takes more than a month has, and the next month begins anew', async () => {
  await using gateway = await start({ plans: { free: { limits: { generationCredits: 7 } } } })
  gateway.clock.set('2026-03-31T23:59:00Z')
  const free = await tenantOn(gateway, 'free')
  const take = (amount = 1) => gateway.call('gated_consume', { what: 'generationCredits', amount }, free)
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => take()))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 7)
  await assert.rejects(take(), { code: 'PLAN_LIMIT_REACHED' })
  gateway.clock.set('2026-04-01T00:00:00Z')
  await assert.rejects(take(8), { code: 'PLAN_LIMIT_REACHED' })
  await take(7)
  await assert.rejects(take(-1), { code: 'BAD_REQUEST' })
})
