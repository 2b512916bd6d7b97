import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin } from '@gateway/sdk'
import { needs } from '@gateway/testing'
import { taskChange } from '../src/api.ts'
import { alerts, at, claim, create, get, HOUR, MINUTE, start, type TestGateway, update, working } from './support.ts'

const reap = (gateway: TestGateway, as: object = {}) => gateway.call('task_lease_reap', {}, { as })
const nothing = { released: 0, requeued: 0, deadLettered: 0, taskIds: [] }

test('a working task whose lease ran out is released by the rules of tasks_fail', async () => {
  await using gateway = await start()
  const { taskId } = await working(gateway)
  gateway.clock.advance(HOUR)
  assert.deepEqual(await reap(gateway), { released: 1, requeued: 1, deadLettered: 0, taskIds: [taskId] })
  const task = await get(gateway, { taskId })
  assert.deepEqual([task.status, task.retryCount, task.nextRetryAt], ['pending', 1, at(gateway, 5 * MINUTE)])
  assert.deepEqual([task.lastError, task.notes, task.leaseUntil, task.claimedBy], ['lease expired', 'lease expired', undefined, undefined])
  assert.deepEqual(await reap(gateway), nothing)
})

test('without retries left it becomes dead_letter, with the alert', async () => {
  await using gateway = await start({ env: { TASK_MAX_RETRIES: '0' } })
  const { taskId } = await working(gateway)
  gateway.clock.advance(HOUR)
  assert.deepEqual(await reap(gateway), { released: 1, requeued: 0, deadLettered: 1, taskIds: [taskId] })
  assert.equal((await get(gateway, { taskId })).status, 'dead_letter')
  assert.equal(alerts(gateway, 'tasks.dead-letter').length, 1)
})

test('live leases are left, to the millisecond, and so is a task that works without a lease', async () => {
  await using gateway = await start()
  const leased = await working(gateway)
  const bare = await update(gateway, await create(gateway), { status: 'working' })
  gateway.clock.advance(HOUR - 0.001)
  assert.deepEqual(await reap(gateway), nothing)
  gateway.clock.advance(0.001)
  assert.deepEqual((await reap(gateway)).taskIds, [leased.taskId])
  assert.equal((await get(gateway, bare)).status, 'working')
})

test('a lease that ended while the gateway was down can be extended after the start, and is released when nobody does', async () => {
  await using gateway = await start()
  const [kept, vanished] = [await working(gateway), await working(gateway)]
  gateway.clock.advance(1)
  for (const { taskId, claimId } of [kept, vanished]) await update(gateway, { taskId }, { claimId, leaseSeconds: 2 * MINUTE })
  gateway.clock.advance(10 * MINUTE)
  await gateway.restart()
  assert.deepEqual(await reap(gateway), nothing)
  await update(gateway, kept, { claimId: kept.claimId, leaseSeconds: 2 * MINUTE })
  gateway.clock.advance(2 * MINUTE - 0.001)
  assert.deepEqual(await reap(gateway), nothing)
  gateway.clock.advance(0.001)
  assert.deepEqual((await reap(gateway)).taskIds, [vanished.taskId, kept.taskId])
})

test('a change that is no extension takes none of the time after the start from a lease', async () => {
  await using gateway = await start()
  const { taskId, claimId } = await working(gateway)
  gateway.clock.advance(1)
  await update(gateway, { taskId }, { claimId, leaseSeconds: 2 * MINUTE })
  gateway.clock.advance(2 * MINUTE - 1)
  await update(gateway, { taskId }, { claimId, notes: 'Nearly done.' })
  gateway.clock.advance(10 * MINUTE)
  await gateway.restart()
  await update(gateway, { taskId }, { priority: 'P0' })
  gateway.clock.advance(2 * MINUTE - 0.001)
  assert.deepEqual(await reap(gateway), nothing)
  gateway.clock.advance(0.001)
  assert.deepEqual((await reap(gateway)).taskIds, [taskId])
})

test('a long lease that ended while the gateway was down counts for three minutes after the start', async () => {
  await using gateway = await start()
  const { taskId } = await working(gateway)
  gateway.clock.advance(2 * HOUR)
  await gateway.restart()
  gateway.clock.advance(3 * MINUTE - 0.001)
  assert.deepEqual(await reap(gateway), nothing)
  gateway.clock.advance(0.001)
  assert.deepEqual((await reap(gateway)).taskIds, [taskId])
})

test('a task that was ended and claimed anew keeps its new lease', async () => {
  await using gateway = await start()
  const first = await working(gateway)
  gateway.clock.advance(HOUR - 1)
  await update(gateway, first, { status: 'pending' })
  const second = await claim(gateway)
  gateway.clock.advance(1)
  assert.deepEqual(await reap(gateway), nothing)
  assert.deepEqual(await get(gateway, first), second)
})

test('a task that is claimed anew while the reaper is on its way to it keeps its new lease', async () => {
  let renew: (() => Promise<void>) | undefined
  let renewed: Promise<void> | undefined
  const watcher = definePlugin({
    id: 'test-watch',
    sdk: '^1.0.0',
    description: 'Acts when the first lease is released.',
    contributes: [
      contribute(taskChange, {
        create: () => ({
          async apply() {
            renewed ??= renew?.()
          },
        }),
      }),
    ],
  })
  await using gateway = await start({ plugins: [watcher] })
  for (let i = 0; i < 30; i++) await working(gateway)
  gateway.clock.advance(0.001)
  const last = await working(gateway)
  gateway.clock.advance(HOUR)
  renew = async () => {
    await update(gateway, last, { status: 'pending' })
    assert.equal((await claim(gateway, { taskId: last.taskId }))?.taskId, last.taskId)
  }
  const { released, taskIds } = await reap(gateway)
  await renewed
  assert.deepEqual([released, taskIds.includes(last.taskId)], [30, false])
  assert.equal((await get(gateway, last)).leaseUntil, at(gateway, HOUR))
})

test('however many ran out, all are released, once, also by two reapers at once', needs('scale'), async () => {
  await using gateway = await start()
  const operations = Array.from({ length: 100 }, () => ({ action: 'create', repo: 'web', title: 'x' }))
  for (let i = 0; i < 5; i++) await gateway.call('tasks_bulk', { operations })
  const ids = await Promise.all(Array.from({ length: 450 }, async () => (await claim(gateway))?.taskId))
  gateway.clock.advance(HOUR)
  const [one, two] = await Promise.all([reap(gateway), reap(gateway), gateway.runJob('tasks.lease-reap')])
  assert.deepEqual(new Set([...one.taskIds, ...two.taskIds]), new Set(ids))
  const { tasks } = await gateway.call('tasks_list', { status: 'pending', limit: 500 })
  assert.equal(Math.max(...tasks.map(({ retryCount = 0 }: { retryCount?: number }) => retryCount)), 1)
})

test('it runs by itself as the job tasks.lease-reap', async () => {
  await using gateway = await start()
  const mine = await working(gateway)
  const acme = { as: { tenantId: 'acme' } }
  const theirs = await create(gateway, {}, acme)
  await gateway.call('tasks_claim', { claimedBy: 'bob' }, acme)
  gateway.clock.advance(HOUR)
  await gateway.runJob('tasks.lease-reap')
  assert.equal((await get(gateway, mine)).status, 'pending')
  assert.equal((await gateway.call('tasks.get', theirs.taskId ? { taskId: theirs.taskId } : {}, acme)).task.status, 'pending')
})

test('a tenant’s caller reaps its own tenant, the operator all of them', async () => {
  await using gateway = await start()
  for (const tenantId of ['acme', 'beta', 'local']) {
    await create(gateway, {}, { as: { tenantId } })
    await gateway.call('tasks_claim', { claimedBy: 'ada' }, { as: { tenantId } })
  }
  gateway.clock.advance(HOUR)
  assert.equal((await reap(gateway, { kind: 'api-key', role: 'member', tenantId: 'acme' })).released, 1)
  assert.equal((await reap(gateway)).released, 2)
})

test('a task that cannot be released keeps no other from it', async () => {
  const refusing = definePlugin({
    id: 'test-refuse',
    sdk: '^1.0.0',
    description: 'Refuses one task.',
    contributes: [
      contribute(taskChange, {
        create: () => ({
          async apply({ after }) {
            if (after.title === 'stuck') throw new Error('not this one')
          },
        }),
      }),
    ],
  })
  await using gateway = await start({ plugins: [refusing] })
  const stuck = await working(gateway, { title: 'stuck' })
  gateway.clock.advance(1)
  const other = await working(gateway)
  gateway.clock.advance(HOUR)
  assert.deepEqual((await reap(gateway)).taskIds, [other.taskId])
  assert.deepEqual(await get(gateway, stuck), stuck)
  assert.ok(gateway.logs.some(({ level, taskId }) => level === 50 && taskId === stuck.taskId))
})

const DAY = 24 * HOUR

test('a clock that went forward and back leaves no task leased or delayed for as long as that', async () => {
  await using gateway = await start()
  gateway.clock.advance(365 * DAY)
  const leased = await working(gateway)
  const failed = await working(gateway)
  await gateway.call('tasks_fail', { taskId: failed.taskId, error: 'broke' })
  gateway.clock.advance(-365 * DAY)
  await gateway.runJob('tasks.set-back')
  const claimed = await claim(gateway, { claimedBy: 'someone' })
  assert.equal(claimed?.taskId, failed.taskId)
  gateway.clock.advance(7 * DAY)
  const { taskIds } = await reap(gateway)
  assert.ok(taskIds.includes(leased.taskId))
})
