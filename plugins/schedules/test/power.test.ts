import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { closed, definePlugin, defineTool, type Principal, Type } from '@gateway/sdk'
import { refusal, type TestGateway, testClock } from '@gateway/testing'
import { admin, create, get, MINUTE, owner, runNow, type Schedule, start, target, tick, update } from './support.ts'

/** A schedule may do what the principal who answers for it may do, and no more, regardless of who makes it run. */

const viewer = { kind: 'user', role: 'viewer', id: 'vic', tenantId: 'acme' } as const
const operator = { kind: 'operator', role: 'operator', id: 'operator', tenantId: 'acme' } as const
const enforced = { env: { RBAC_ENFORCE: 'on' } }

async function due(gateway: TestGateway): Promise<void> {
  gateway.clock.advance(5 * MINUTE)
  await tick(gateway)
}
const who = ({ id, role, kind, tenantId }: Principal) => [id, role, kind, tenantId]

test('it acts as its creator, in his tenant; that a timer set it off stays visible', async () => {
  const { plugin, calls } = target()
  await using gateway = await start({ plugins: [plugin], ...enforced })
  assert.deepEqual((await create(gateway, {}, { as: admin })).actsAs, { id: 'ann', role: 'admin' })
  await due(gateway)
  assert.deepEqual([who(calls[0]!.principal), calls[0]!.via], [['ann', 'admin', 'system', 'acme'], 'job'])
  const row = (await gateway.audit('acme')).find(({ tool }) => tool === 'ring')
  assert.deepEqual(row?.principal, { id: 'ann', role: 'admin', kind: 'system' })
})

test('a tenant’s admin cannot schedule what is for the operator, enforced or not', async () => {
  for (const env of [{}, { RBAC_ENFORCE: 'on' }]) {
    const { plugin, calls } = target()
    await using gateway = await start({ plugins: [plugin], env })
    for (const as of [admin, owner]) {
      await assert.rejects(create(gateway, { target: 'ring_operated' }, { as }), refusal('FORBIDDEN', undefined, /capability operator/))
    }
    await due(gateway)
    assert.equal(calls.length, 0)
  }
})

test('nor what his role lacks, when it is enforced', async () => {
  const { plugin } = target()
  const bill = defineTool({
    name: 'bill',
    description: 'For tests.',
    capability: 'billing',
    effect: 'write',
    input: Type.Object({}, closed),
    output: Type.Object({}),
    handle: async () => ({}),
  })
  const billing = definePlugin({ id: 'test-billing', sdk: '^1.0.0', description: 'For tests.', tools: [bill] })
  await using gateway = await start({ plugins: [plugin, billing], ...enforced })
  await assert.rejects(create(gateway, { target: 'bill' }, { as: admin }), refusal('FORBIDDEN', undefined, /capability billing/))
  const schedule = await create(gateway, { target: 'bill' }, { as: owner })
  await assert.rejects(update(gateway, schedule, { message: '{}' }, { as: admin }), refusal('FORBIDDEN'))
  await due(gateway)
  assert.equal((await get(gateway, schedule, { as: owner })).lastStatus, 'success')
})

test('what its principal may not do at the time of the run is refused then', async (t) => {
  const { plugin, calls } = target()
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-schedules-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const clock = testClock()
  // Without enforcement a viewer may schedule calls that need more.
  const shadow = await start({ plugins: [plugin], dataDir, clock })
  const schedule = await create(shadow, { target: 'ring_configured' }, { as: viewer })
  await due(shadow)
  assert.equal((await get(shadow, schedule, { as: viewer })).lastStatus, 'success')
  await shadow.stop()

  await using strict = await start({ plugins: [plugin], dataDir, clock, ...enforced })
  await due(strict)
  assert.match((await get(strict, schedule, { as: viewer })).lastError ?? '', /capability configure.*the caller is viewer/)
  assert.equal(calls.length, 1)
})

test('a tool for the operator that is scheduled before it is there stays out of reach', async () => {
  const { plugin, calls } = target()
  const late = definePlugin({
    id: 'test-late',
    sdk: '^1.0.0',
    description: 'For tests.',
    tools: [
      defineTool({
        name: 'morning_sweep',
        description: 'For tests.',
        capability: 'operator',
        effect: 'write',
        input: Type.Object({}, closed),
        output: Type.Object({}),
        handle: async () => assert.fail('it ran'),
      }),
    ],
  })
  await using gateway = await start({ plugins: [plugin, late] })
  await gateway.call('schedules_seed', {}, { as: admin })
  gateway.clock.set('2026-01-06T09:00:00.000Z')
  await tick(gateway)
  const { schedules } = await gateway.call('schedules_list', { status: 'error' }, { as: admin })
  assert.match(schedules.find(({ name }: Schedule) => name === 'morning_sweep_daily').lastError, /capability operator.*the caller is admin/)
  assert.equal(calls.length, 0)
})

test('who changes when or what it runs must be allowed to run it', async () => {
  const { plugin } = target()
  await using gateway = await start({ plugins: [plugin] })
  const schedule = await create(gateway, { target: 'ring_operated' }, { as: operator })
  for (const change of [{ message: '{"text":"mine"}' }, { cronExpr: '* * * * *' }, { enabled: true }]) {
    await assert.rejects(update(gateway, schedule, change, { as: admin }), refusal('FORBIDDEN', undefined, /capability operator/))
  }
  assert.deepEqual(await get(gateway, schedule, { as: admin }), schedule)
  // Renaming and stopping it need no more than the tool itself.
  const stopped = await update(gateway, schedule, { name: 'Stopped', enabled: false }, { as: admin })
  assert.deepEqual([stopped.enabled, stopped.actsAs], [false, schedule.actsAs])
})

test('it answers to whoever changed it last, and never comes to more power by that', async () => {
  const { plugin, calls } = target()
  await using gateway = await start({ plugins: [plugin] })
  const schedule = await create(gateway, {}, { as: owner })
  assert.deepEqual((await update(gateway, schedule, { name: 'x' }, { as: admin })).actsAs, { id: 'olga', role: 'owner' })
  assert.deepEqual((await update(gateway, schedule, { message: '{"text":"a"}' }, { as: admin })).actsAs, { id: 'ann', role: 'admin' })
  const bob = { ...admin, id: 'bob' }
  assert.deepEqual((await update(gateway, schedule, { cronExpr: '*/5 * * * *' }, { as: bob })).actsAs, { id: 'bob', role: 'admin' })
  for (const as of [owner, operator]) {
    assert.deepEqual((await update(gateway, schedule, { message: '{"text":"b"}' }, { as })).actsAs, { id: 'bob', role: 'admin' })
  }
  await due(gateway)
  assert.deepEqual(who(calls[0]!.principal), ['bob', 'admin', 'system', 'acme'])
})

test('run_now lends the caller nothing: the lesser of the two acts', async () => {
  const { plugin, calls } = target()
  await using gateway = await start({ plugins: [plugin], ...enforced })
  const operated = await create(gateway, { target: 'ring_operated' }, { as: operator })
  const refused = await runNow(gateway, operated, { as: admin })
  assert.equal(refused.lastStatus, 'error')
  assert.match(refused.lastError ?? '', /capability operator.*the caller is admin/)
  assert.equal(calls.length, 0)

  await runNow(gateway, await create(gateway, {}, { as: owner }), { as: admin })
  assert.deepEqual(who(calls[0]!.principal), ['ann', 'admin', 'user', 'acme'])
  await runNow(gateway, await create(gateway, {}, { as: admin }), { as: operator })
  assert.deepEqual(who(calls[1]!.principal), ['ann', 'admin', 'operator', 'acme'])
})

test('no argument leads to another tenant', async () => {
  const { plugin, calls } = target()
  await using gateway = await start({ plugins: [plugin] })
  await create(gateway, { tenantId: 'beta', message: '{"text":"x","tenantId":"beta"}' }, { as: admin })
  await due(gateway)
  assert.deepEqual(
    calls.map(({ principal }) => principal.tenantId),
    ['acme'],
  )
})

test('a schedule that makes schedules passes on no more than it has', async () => {
  const { plugin } = target()
  await using gateway = await start({ plugins: [plugin] })
  const inner = { name: 'inner', cronExpr: '0 12 * * *', kind: 'tool', target: 'ring_operated' }
  const outer = await create(gateway, { target: 'schedules_create', message: JSON.stringify(inner) }, { as: admin })
  await due(gateway)
  const { lastStatus, lastError } = await get(gateway, outer, { as: admin })
  assert.equal(lastStatus, 'error')
  assert.match(lastError ?? '', /capability operator/)
  await update(gateway, outer, { message: JSON.stringify({ ...inner, target: 'ring' }) }, { as: admin })
  await due(gateway)
  const { schedules } = await gateway.call('schedules_list', {}, { as: admin })
  assert.deepEqual(schedules.find(({ name }: Schedule) => name === 'inner').actsAs, { id: 'ann', role: 'admin' })
})
