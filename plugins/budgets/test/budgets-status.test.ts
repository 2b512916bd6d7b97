import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeContext } from '@gateway/testing'
import { budgetsStatus } from '../src/tools/budgets-status.ts'
import { callOf, pay, start, step } from './support.ts'

test('a tenant that has spent nothing has zeros, no caps and no channels', async () => {
  await using gateway = await start()
  const status = await gateway.call('budgets_status')
  assert.deepEqual(
    [status.monthToDateUsd, status.todayUsd, status.monthlyCapUsd, status.dailyCapUsd, status.downgradeAt, status.state],
    [0, 0, null, null, 0.8, 'ok'],
  )
  assert.equal('channels' in status, false)
})

test('status tells month and today, caps, thresholds, what is held, and the channels that have a cap', async () => {
  await using gateway = await start({ monthlyCapUsd: 10, dailyCapUsd: 5, channels: { chat_channel: { monthlyCapUsd: 2 } } })
  gateway.clock.set(new Date('2026-03-14T23:59:00Z'))
  await pay(gateway, { costUsd: 1.5, channel: 'chat_channel' })
  gateway.clock.set(new Date('2026-03-15T10:00:00Z'))
  await pay(gateway, { costUsd: 0.25 })
  await step(gateway, 'reserve', callOf({ maxCostUsd: 0.125 }))
  const { channels, ...status } = await gateway.call('budgets_status')
  assert.deepEqual(status, {
    enabled: true,
    available: true,
    monthToDateUsd: 1.75,
    todayUsd: 0.25,
    heldUsd: 0.125,
    monthlyCapUsd: 10,
    dailyCapUsd: 5,
    downgradeAt: 0.8,
    monthlyDowngradeUsd: 8,
    dailyDowngradeUsd: 4,
    state: 'ok',
    worstState: 'ok',
    monthResetsAt: '2026-04-01T00:00:00.000Z',
    dayResetsAt: '2026-03-16T00:00:00.000Z',
  })
  const channel = { channel: 'chat_channel', monthToDateUsd: 1.5, heldUsd: 0, monthlyCapUsd: 2, monthlyDowngradeUsd: 1.6, state: 'ok' }
  assert.deepEqual(channels, [channel])
})

test('what is spent in a tenant is seen there alone', async () => {
  await using gateway = await start()
  await pay(gateway, { costUsd: 1 }, { tenantId: 'acme', kind: 'user', role: 'member' })
  assert.equal((await gateway.call('budgets_status')).todayUsd, 0)
  assert.equal((await gateway.call('budgets_status', {}, { as: { tenantId: 'acme', kind: 'user', role: 'viewer' } })).todayUsd, 1)
})

test('switched off, nothing is written down and nothing is refused', async () => {
  await using gateway = await start({ enabled: false, monthlyCapUsd: 0 })
  await pay(gateway, { costUsd: 1 })
  const { enabled, monthToDateUsd, state } = await gateway.call('budgets_status')
  assert.deepEqual([enabled, monthToDateUsd, state], [false, 0, 'ok'])
  assert.deepEqual((await gateway.documents())['budgets.spend'] ?? [], [])
})

test('the routes stand behind the admin token', async () => {
  await using closed = await start()
  const get = (gateway: typeof closed, path: string, token?: string) =>
    gateway.inject({ method: 'GET', url: `/api/budgets/${path}`, ...(token && { headers: { 'x-admin-token': token } }) })
  for (const path of ['status', 'breakdown', 'usage']) {
    const { status, json } = await get(closed, path, 'any')
    assert.deepEqual([status, json().code], [503, 'ADMIN_DISABLED'])
  }
  const token = 'an-admin-token-of-some-length'
  await using open = await start({}, { env: { ADMIN_API_TOKEN: token } })
  for (const path of ['status', 'breakdown', 'usage']) {
    assert.equal((await get(open, path)).status, 401)
    assert.equal((await get(open, path, `${token}x`)).json().code, 'UNAUTHORIZED')
    assert.equal((await get(open, path, token)).status, 200)
  }
  for (const path of [
    'breakdown?from=soon',
    'usage?to=soon',
    'usage?limit=0',
    'usage?limit=1.5',
    'usage?limit=x',
    'usage?cursor=x',
    'usage?from=2026-02-02&to=2026-02-01',
  ]) {
    const { status, json } = await get(open, path, token)
    assert.deepEqual([path, status, json().code], [path, 400, 'BAD_REQUEST'])
  }
})

test('when the store does not answer, spend shows as zero, and the answer says why', async () => {
  const fails = { getMany: () => Promise.reject(new Error('the store is away')) }
  const none = { channels: {}, plans: {}, tenants: {}, keys: {}, agents: {}, tasks: {}, swarms: {}, models: {} }
  const config = { enabled: true, monthlyCapUsd: 5, downgradeAt: 0.8, ...none, reservationMinutes: 2, keepDays: 400 }
  const status = await budgetsStatus.handle({}, { meters: fails as never, tenants: {} as never, config }, fakeContext())
  assert.deepEqual([status.available, status.monthToDateUsd, status.monthlyCapUsd, status.state], [false, 0, 5, 'ok'])
})
