import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claim, create, get, start, type TestGateway, update } from './support.ts'

const next = async (gateway: TestGateway, args: object = {}) => (await gateway.call('tasks_next', args)).task

test('it is the task that a claim would take: P0 first, then the oldest', async () => {
  await using gateway = await start()
  for (const priority of ['P2', 'P0', 'P1']) await create(gateway, { priority })
  gateway.clock.advance(1)
  await create(gateway, { priority: 'P0' })
  for (let i = 0; i < 4; i++) {
    const { taskId } = await next(gateway)
    assert.equal((await claim(gateway))?.taskId, taskId)
  }
  assert.equal(await next(gateway), null)
})

test('looking neither claims nor changes the task', async () => {
  await using gateway = await start()
  const task = await create(gateway)
  assert.deepEqual([await next(gateway), await next(gateway)], [task, task])
  assert.deepEqual(await get(gateway, task), task)
})

test('repo narrows it, and may be left out', async () => {
  await using gateway = await start()
  await create(gateway, { repo: 'api', priority: 'P0' })
  const { taskId } = await create(gateway, { repo: 'web' })
  assert.equal((await next(gateway, { repo: 'web' })).taskId, taskId)
  assert.equal((await next(gateway)).repo, 'api')
  assert.equal(await next(gateway, { repo: 'none' }), null)
})

test('what waits for an upstream or for its time is not next, and is when its time has come', async () => {
  await using gateway = await start()
  const upstream = await create(gateway)
  await create(gateway, { priority: 'P0', dependsOn: [upstream.taskId] })
  await update(gateway, upstream, { status: 'pending', deferSeconds: 30 })
  assert.equal(await next(gateway), null)
  gateway.clock.advance(30)
  assert.equal((await next(gateway)).taskId, upstream.taskId)
})

test('GET /api/tasks/next is not taken for a task named next', async () => {
  await using gateway = await start()
  const empty = await gateway.inject({ method: 'GET', url: '/api/tasks/next' })
  assert.deepEqual([empty.status, empty.json()], [200, { task: null }])
  const task = await create(gateway)
  assert.deepEqual((await gateway.inject({ method: 'GET', url: '/api/tasks/next?repo=web' })).json(), { task })
})
