import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, start, update } from './support.ts'

const DAY = 86_400

test('a task goes so many days after it ended, not after it was made, and its edges with it', async () => {
  await using gateway = await start({ env: { TASK_RETENTION_DAYS: '10' } })
  const upstream = await create(gateway, { title: 'upstream' })
  const task = await create(gateway, { title: 'task', dependsOn: [upstream.taskId] })
  gateway.clock.advance(20 * DAY)
  await update(gateway, task, { status: 'blocked' })
  gateway.clock.advance(10 * DAY)
  await gateway.runJob('tasks.retention')
  assert.equal((await gateway.documents()).tasks?.length, 2)
  gateway.clock.advance(1)
  await gateway.runJob('tasks.retention')
  const { tasks, 'tasks.edges': edges } = await gateway.documents()
  assert.deepEqual([tasks?.length, edges], [1, []])
})
