import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definePlugin, on } from '@gateway/sdk'
import { scheduleRan } from '../src/api.ts'
import { admin, create, MINUTE, owner, runNow, start, type TestGateway, target, update } from './support.ts'

async function withKey({ label }: { label?: string } = {}) {
  const { plugin, calls } = target()
  const gateway = await start({ plugins: [plugin] })
  await gateway.tenants.create({ name: 'Acme', plan: 'team', tenantId: 'acme' })
  const { keyId } = await gateway.tenants.issueKey('acme', { role: 'admin', environment: 'live', label })
  const schedule = await create(gateway, {}, { as: { id: `key:${keyId}`, kind: 'api-key', role: 'admin', tenantId: 'acme' } })
  return { gateway, calls, keyId, schedule }
}

const passes = async (gateway: TestGateway): Promise<void> => {
  gateway.clock.advance(5 * MINUTE)
  await gateway.runJob('schedules.tick')
}
const only = async (gateway: TestGateway) => (await gateway.call('schedules_list', {}, { as: owner })).schedules[0]

test('a schedule ends with the key it was made with: it is switched off, and says why', async () => {
  const { gateway, calls, keyId } = await withKey()
  await using _ = gateway
  await passes(gateway)
  assert.equal(calls.length, 1)
  await gateway.tenants.revokeKey('acme', keyId)
  await passes(gateway)
  const { enabled, lastStatus, lastError } = await only(gateway)
  assert.deepEqual([calls.length, enabled, lastStatus], [1, false, 'error'])
  assert.match(lastError, /key it was made with has ended/)
})

test('whoever switches it on again answers for it, and it runs', async () => {
  const { gateway, calls, keyId, schedule } = await withKey()
  await using _ = gateway
  await gateway.tenants.revokeKey('acme', keyId)
  await passes(gateway)
  await gateway.call('schedules_update', { scheduleId: schedule.scheduleId, enabled: true }, { as: { ...owner, role: 'admin' } })
  await passes(gateway)
  assert.deepEqual(
    calls.map(({ principal }) => principal.id),
    ['olga'],
  )
})

test('a principal with more permissions revives it under its own name and with no more than it had', async () => {
  const operator = { id: 'operator', kind: 'operator', role: 'operator', tenantId: 'acme' } as const
  for (const as of [owner, operator]) {
    const { gateway, calls, keyId, schedule } = await withKey()
    await using _ = gateway
    await gateway.tenants.revokeKey('acme', keyId)
    await passes(gateway)
    const revived = await update(gateway, schedule, { enabled: true }, { as })
    assert.deepEqual(revived.actsAs, { id: as.id, role: 'admin' })
    await passes(gateway)
    assert.deepEqual(
      calls.map(({ principal: { id, role } }) => [id, role]),
      [[as.id, 'admin']],
    )
    assert.equal((await only(gateway)).enabled, true)
  }
})

test('a run on request does not act as a key that has ended', async () => {
  const { gateway, calls, keyId, schedule } = await withKey()
  await using _ = gateway
  await gateway.tenants.revokeKey('acme', keyId)
  await runNow(gateway, schedule, { as: owner })
  await runNow(gateway, schedule, { as: admin })
  assert.deepEqual(
    calls.map(({ principal: { id, role } }) => [id, role]),
    [
      ['olga', 'admin'],
      ['ann', 'admin'],
    ],
  )
})

test('its runs have the label of its key, also when someone else asks for one', async () => {
  const { gateway, calls, schedule } = await withKey({ label: 'ci' })
  await using _ = gateway
  await passes(gateway)
  await runNow(gateway, schedule, { as: { ...owner, label: 'olga' } })
  await update(gateway, schedule, { message: '{}' }, { as: { ...admin, label: 'ann@example.com' } })
  await passes(gateway)
  assert.deepEqual(
    calls.map(({ principal }) => principal.label),
    ['ci', 'ci', 'ann@example.com'],
  )
})

test('a disabled schedule waits for a person, with the reason as a run, until someone decides on it', async () => {
  for (const enabled of [true, false]) {
    const heard: { status: string }[] = []
    const { plugin, calls } = target()
    const listener = definePlugin({
      id: 'test-listener',
      sdk: '^1.0.0',
      description: 'For tests.',
      on: [on(scheduleRan, { handle: async (payload) => void heard.push(payload) })],
    })
    await using gateway = await start({ plugins: [plugin, listener] })
    const { keyId } = await gateway.tenants.issueKey('local', { role: 'admin', environment: 'live' })
    const schedule = await create(gateway, {}, { as: { id: `key:${keyId}`, kind: 'api-key', role: 'admin', tenantId: 'local' } })
    const attention = async () => (await gateway.inject({ method: 'GET', url: '/api/attention' })).json()
    await gateway.tenants.revokeKey('local', keyId)
    await passes(gateway)
    const { items, actions } = await attention()
    assert.deepEqual(
      items.map(({ kind, id, tone, text }: Record<string, string>) => [kind, id, tone, /has ended/.test(text ?? '')]),
      [['disabled-schedule', schedule.scheduleId, 'bad', true]],
    )
    assert.deepEqual(
      actions['disabled-schedule'].map(({ label }: { label: string }) => label),
      ['Switch on', 'Leave off'],
    )
    const { runs } = await gateway.call('schedules.runs', { scheduleId: schedule.scheduleId })
    assert.deepEqual([runs.length, runs[0].status, /has ended/.test(runs[0].error)], [1, 'error', true])
    while (heard.length === 0) await new Promise(setImmediate)
    assert.equal(heard[0]?.status, 'error')
    assert.equal((await update(gateway, schedule, { enabled })).disabledAt, undefined)
    await passes(gateway)
    assert.deepEqual([calls.length, (await attention()).items], [enabled ? 1 : 0, []])
  }
})
