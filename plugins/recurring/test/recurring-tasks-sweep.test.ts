import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineJob, type Plugin } from '@gateway/sdk'
import { refusal } from '@gateway/testing'
import recurring from '../src/index.ts'
import { sweep as sweepJob } from '../src/jobs/sweep.ts'
import { admin, at, create, get, HOUR, list, MINUTE, queued, runNow, start, sweep, type TestGateway, update } from './support.ts'

const nothing = { fired: 0, enqueued: 0, skipped: 0, taskIds: [] }
const sweepNow = (gateway: TestGateway, as: object = {}) => gateway.call('recurring_tasks_sweep', {}, { as })
const set = (gateway: TestGateway, taskId: string, status: string) => gateway.call('tasks_update', { taskId, status })

test('it enqueues a task for every template that is due and enabled, once; the others are left', async () => {
  await using gateway = await start()
  const due = await create(gateway, { title: 'due' })
  const off = await create(gateway, { title: 'off', enabled: false })
  const later = await create(gateway, { title: 'later', cronExpr: '0 12 * * *' })
  gateway.clock.advance(5 * MINUTE - 0.001)
  assert.deepEqual(await sweepNow(gateway), nothing)
  gateway.clock.advance(0.001)
  const { taskIds, ...counts } = await sweepNow(gateway)
  assert.deepEqual(counts, { fired: 1, enqueued: 1, skipped: 0 })
  assert.deepEqual(await sweepNow(gateway), nothing)
  const tasks = await queued(gateway)
  assert.deepEqual(
    tasks.map(({ taskId, title, source, sourceId }) => [taskId, title, source, sourceId]),
    [[taskIds[0], 'due', 'scheduler', due.recurringId]],
  )
  const fired = { lastFireAt: at('09:05'), lastOutcome: 'enqueued', lastTaskId: taskIds[0], nextFireAt: at('09:10') }
  assert.deepEqual(await get(gateway, due), { ...due, ...fired })
  assert.deepEqual([await get(gateway, off), await get(gateway, later)], [off, later])
})

test('the gateway does it by itself, often enough to be less than a second late, for every tenant', async () => {
  assert.ok(sweepJob.everySeconds < 1)
  await using gateway = await start()
  await create(gateway)
  await create(gateway, {}, { as: admin })
  gateway.clock.advance(5 * MINUTE)
  await sweep(gateway)
  assert.deepEqual([(await queued(gateway)).length, (await queued(gateway, { as: admin })).length], [1, 1])
})

test('the operator sweeps all tenants; nobody else may, enforced or not', async () => {
  await using gateway = await start()
  await create(gateway)
  await create(gateway, {}, { as: admin })
  await create(gateway, {}, { as: { ...admin, tenantId: 'beta' } })
  gateway.clock.advance(5 * MINUTE)
  for (const role of ['member', 'admin', 'owner']) await assert.rejects(sweepNow(gateway, { ...admin, role }), refusal('FORBIDDEN'))
  assert.deepEqual(await queued(gateway, { as: admin }), [])
  assert.equal((await sweepNow(gateway)).enqueued, 3)
})

test('after a stop of an hour, what was missed is made up for once', async () => {
  await using gateway = await start()
  const template = await create(gateway, { overlapPolicy: 'stack' })
  gateway.clock.advance(HOUR + MINUTE)
  await gateway.restart()
  assert.equal((await sweepNow(gateway)).enqueued, 1)
  assert.deepEqual(await sweepNow(gateway), nothing)
  assert.equal((await get(gateway, template)).nextFireAt, at('10:05'))
})

test('with skip, a fire enqueues nothing while the task before is open, and counts', async () => {
  await using gateway = await start()
  const template = await create(gateway)
  const next = async (): Promise<[number, number]> => {
    gateway.clock.advance(5 * MINUTE)
    const { enqueued, skipped } = await sweepNow(gateway)
    return [enqueued, skipped]
  }
  const last = async (): Promise<string> => (await get(gateway, template)).lastTaskId ?? ''
  assert.deepEqual(await next(), [1, 0])
  for (const open of ['pending', 'working', 'review', 'paused']) {
    await set(gateway, await last(), open)
    assert.deepEqual([open, ...(await next())], [open, 0, 1])
  }
  const { lastOutcome, lastFireAt, nextFireAt } = await get(gateway, template)
  assert.deepEqual([lastOutcome, lastFireAt, nextFireAt], ['skipped', at('09:25'), at('09:30')])
  for (const closed of ['done', 'blocked', 'dead_letter']) {
    await set(gateway, await last(), closed)
    assert.deepEqual([closed, ...(await next())], [closed, 1, 0])
  }
})

test('a task in the trash is not open, and one that came back from there is', async () => {
  await using gateway = await start()
  const template = await create(gateway)
  const first = (await runNow(gateway, template)).taskId
  await gateway.call('tasks_delete', { taskId: first })
  gateway.clock.advance(5 * MINUTE)
  assert.equal((await sweepNow(gateway)).enqueued, 1)
  const { lastTaskId } = await get(gateway, template)
  await gateway.call('tasks_delete', { taskId: lastTaskId })
  await gateway.call('tasks_restore', { taskId: lastTaskId })
  gateway.clock.advance(5 * MINUTE)
  assert.equal((await sweepNow(gateway)).skipped, 1)
})

test('with stack, every fire enqueues', async () => {
  await using gateway = await start()
  await create(gateway, { overlapPolicy: 'stack' })
  for (let i = 0; i < 3; i++) {
    gateway.clock.advance(5 * MINUTE)
    await sweep(gateway)
  }
  assert.equal((await queued(gateway)).length, 3)
})

/** The job a second time, so that the two run in parallel as they would in two processes. */
const otherSweep = defineJob('recurring.other-sweep', { everySeconds: 1, uses: sweepJob.uses, run: sweepJob.run as never })
const twice: Plugin = { ...recurring, jobs: [...recurring.jobs, otherSweep] }

test('of two processes that see it due, one fires it, and the task and the next time are written together', async () => {
  await using gateway = await start({ plugins: [twice] })
  for (let i = 0; i < 120; i++) await create(gateway, { title: `${i}`, overlapPolicy: 'stack' })
  gateway.clock.advance(5 * MINUTE)
  await Promise.all([sweep(gateway), gateway.runJob('recurring.other-sweep'), sweepNow(gateway)])
  const tasks = await queued(gateway)
  assert.equal(tasks.length, 120)
  const templates = await list(gateway, { limit: 500 })
  assert.deepEqual(new Set(templates.map(({ lastTaskId }) => lastTaskId)), new Set(tasks.map(({ taskId }) => taskId)))
  assert.ok(templates.every(({ nextFireAt }) => nextFireAt === at('09:10')))
})

test('a template that changes between being seen and being fired is not fired', async () => {
  const asked: string[] = []
  // Switches the template off while the sweep is about to fire it.
  const meddling = defineJob('recurring.meddling', {
    everySeconds: 1,
    uses: sweepJob.uses,
    run: async (refs, ctx) => {
      const { recurringTasks } = refs as unknown as {
        recurringTasks: { find(query: object): Promise<{ items: { recurringId: string }[] }> }
      }
      const find = async (query: object) => {
        const page = await recurringTasks.find(query)
        for (const { recurringId } of page.items) {
          asked.push(recurringId)
          await update(gateway, { recurringId }, { enabled: false })
        }
        return page
      }
      const seen = Object.assign(Object.create(recurringTasks), { find })
      return (sweepJob.run as (refs: unknown, ctx: unknown) => Promise<unknown>)({ ...(refs as object), recurringTasks: seen }, ctx)
    },
  })
  const gateway: TestGateway = await start({ plugins: [{ ...recurring, jobs: [...recurring.jobs, meddling] }] })
  await create(gateway)
  gateway.clock.advance(5 * MINUTE)
  await gateway.runJob('recurring.meddling')
  assert.equal(asked.length, 1)
  assert.deepEqual(await queued(gateway), [])
  await gateway.stop()
})

test('a fire that fails half way leaves neither a task nor a new time, and keeps no other from it', async () => {
  const failing = defineJob('recurring.failing', {
    everySeconds: 1,
    uses: sweepJob.uses,
    run: (refs, ctx) => {
      const { queue } = refs as unknown as { queue: { get: unknown; enqueue(draft: { title: string }, tx: object): Promise<object> } }
      const breaking = {
        get: queue.get,
        async enqueue(draft: { title: string }, tx: object) {
          const task = await queue.enqueue(draft, tx)
          if (draft.title === 'broken') throw new Error('not this one')
          return task
        },
      }
      return (sweepJob.run as (refs: unknown, ctx: unknown) => Promise<unknown>)({ ...(refs as object), queue: breaking }, ctx)
    },
  })
  await using gateway = await start({ plugins: [{ ...recurring, jobs: [...recurring.jobs, failing] }] })
  const broken = await create(gateway, { title: 'broken' })
  await create(gateway, { title: 'whole' })
  gateway.clock.advance(5 * MINUTE)
  await gateway.runJob('recurring.failing')
  assert.deepEqual(
    (await queued(gateway)).map(({ title }) => title),
    ['whole'],
  )
  assert.deepEqual(await get(gateway, broken), broken)
  assert.ok(gateway.logs.some((line) => line.level === 50 && line.recurringId === broken.recurringId))
  await sweep(gateway)
  assert.equal((await queued(gateway)).length, 2)
})

test('a clock that went forward and back stops no template', async () => {
  await using gateway = await start()
  const template = await create(gateway)
  gateway.clock.advance(365 * 24 * HOUR)
  await sweep(gateway)
  gateway.clock.advance(-365 * 24 * HOUR)
  await gateway.runJob('recurring.set-back')
  assert.equal((await get(gateway, template)).nextFireAt, at('09:05'))
})
