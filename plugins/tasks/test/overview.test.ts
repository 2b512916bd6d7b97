import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin } from '@gateway/sdk'
import { taskSteps } from '../src/api.ts'
import { trendsOf } from '../src/rules/trend.ts'
import { claim, create, HOUR, MINUTE, start, update } from './support.ts'

const ten = 10 * MINUTE

test('the queue is counted every ten minutes, and its trend ends with the current count', async () => {
  await using gateway = await start()
  await gateway.runJob('tasks.sample')
  assert.deepEqual((await gateway.call('tasks.counts')).trend.pending, [0], 'a queue that never had a task keeps no samples')
  await create(gateway)
  await gateway.runJob('tasks.sample')
  gateway.clock.advance(ten)
  await create(gateway)
  await create(gateway)
  await gateway.runJob('tasks.sample')
  await claim(gateway)
  const { trend } = await gateway.call('tasks.counts')
  assert.deepEqual(trend.pending, [1, 3, 2])
  assert.deepEqual(trend.working, [0, 0, 1])
})

test('a second count in the same ten minutes replaces the first', async () => {
  await using gateway = await start()
  await create(gateway)
  await gateway.runJob('tasks.sample')
  await create(gateway)
  await gateway.runJob('tasks.sample')
  assert.deepEqual((await gateway.call('tasks.counts')).trend.pending, [2, 2])
})

test('a trend of a day has a point per hour', () => {
  const sample = (pending: number) => ({ pending, working: 0, review: 0, blocked: 0, dead_letter: 0 })
  const newestFirst = Array.from({ length: 144 }, (_, index) => sample(144 - index))
  const { pending } = trendsOf(newestFirst, sample(200))
  assert.equal(pending.length, 25)
  assert.deepEqual([pending[0], pending.at(-2), pending.at(-1)], [6, 144, 200])
})

const observed = definePlugin({
  id: 'observed',
  sdk: '^1.0.0',
  description: 'Observes steps.',
  contributes: [
    contribute(taskSteps, {
      create: (_, ctx) => ({ of: async () => [{ at: ctx.now().toISOString(), by: 's-1', text: 'edits index.ts' }] }),
    }),
  ],
})

test('at work are the claimed tasks, each with its worker and its last sign of life', async () => {
  await using gateway = await start({ plugins: [observed] })
  const task = await create(gateway, { title: 'Mend the gate' })
  await create(gateway, { title: 'Not claimed', priority: 'P3' })
  const claimed = await claim(gateway, { taskId: task.taskId, leaseSeconds: HOUR })
  gateway.clock.advance(MINUTE)
  const { count, tasks } = await gateway.call('tasks.at-work')
  assert.equal(count, 1)
  const [{ agent, title, since, step, lastSignAt }] = tasks
  assert.deepEqual([agent, title, since, step], ['ada', 'Mend the gate', claimed?.claimedAt, 'edits index.ts'])
  assert.equal(lastSignAt, new Date(gateway.clock.now()).toISOString())
  await update(gateway, task, { status: 'done', claimId: claimed?.claimId })
  assert.deepEqual(await gateway.call('tasks.at-work'), { count: 0, tasks: [] })
})
