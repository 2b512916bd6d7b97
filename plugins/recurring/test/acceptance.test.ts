import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, queued, runNow, start, type TestGateway, update } from './support.ts'

const review = (gateway: TestGateway, taskId: string) => gateway.call('tasks_update', { taskId, status: 'review' })

test('an instance that reaches review is done at once where its template accepts automatically', async () => {
  await using gateway = await start()
  const template = await create(gateway, { accept: 'auto' })
  const { taskId } = await runNow(gateway, template)
  assert.equal((await review(gateway, taskId)).task.status, 'done')
  assert.equal((await runNow(gateway, template)).enqueued, true)
  assert.deepEqual((await queued(gateway)).map(({ status }) => status).sort(), ['done', 'pending'])
})

test('an instance stays in review for a person without that, and after it was switched off', async () => {
  await using gateway = await start()
  const template = await create(gateway)
  assert.equal(template.accept, 'manual')
  const { taskId } = await runNow(gateway, template)
  assert.equal((await review(gateway, taskId)).task.status, 'review')
  await gateway.call('tasks_update', { taskId, status: 'pending' })
  assert.equal((await update(gateway, template, { accept: 'auto' })).accept, 'auto')
  assert.equal((await review(gateway, taskId)).task.status, 'done')
  await update(gateway, template, { accept: 'manual' })
  const { taskId: next } = await runNow(gateway, template)
  assert.equal((await review(gateway, next)).task.status, 'review')
})

test('a task of somebody else that names a template is not accepted for it', async () => {
  await using gateway = await start()
  const { recurringId } = await create(gateway, { accept: 'auto' })
  const args = { repo: 'web', title: 'Mine', source: 'manual', sourceId: recurringId }
  const { task } = await gateway.call('tasks_create', args)
  assert.equal((await review(gateway, task.taskId)).task.status, 'review')
})
