import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, start } from './support.ts'

test('GET /api/tasks/:taskId answers the task', async () => {
  await using gateway = await start()
  const task = await create(gateway)
  const response = await gateway.inject({ method: 'GET', url: `/api/tasks/${task.taskId}` })
  assert.deepEqual([response.status, response.json()], [200, { task }])
})

test('an unknown id, and one of another tenant, is 404', async () => {
  await using gateway = await start()
  const theirs = await create(gateway, {}, { as: { tenantId: 'acme' } })
  for (const taskId of ['task-x', theirs.taskId]) {
    const response = await gateway.inject({ method: 'GET', url: `/api/tasks/${taskId}` })
    assert.deepEqual([response.status, response.json().code], [404, 'NOT_FOUND'])
  }
})
