import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trashBin } from '@gateway/plugin-trash/api'
import { atomically, closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { refusal } from '@gateway/testing'
import { at, claim, create, get, start, type Task, type TestGateway, update, working } from './support.ts'

const remove = (gateway: TestGateway, taskId: string, args: object = {}) => gateway.call('tasks_delete', { taskId, ...args })
const restore = (gateway: TestGateway, args: object) => gateway.call('tasks_restore', args)
const trashed = async (gateway: TestGateway) => (await gateway.call('trash_list')).entries

async function audited(gateway: TestGateway, name: string) {
  return (await gateway.audit()).filter((record) => record.name === name).map(({ details }) => details)
}

test('deleting moves the task to the trash and returns the entry’s id and the task as it was', async () => {
  await using gateway = await start()
  const task = await create(gateway, { title: 'Old' })
  const removed = await remove(gateway, task.taskId, { reason: 'a duplicate' })
  assert.match(removed.trashId, /^trash-\w+$/)
  assert.deepEqual(removed, { trashId: removed.trashId, task })
  await assert.rejects(get(gateway, task), refusal('NOT_FOUND'))
  assert.equal(await claim(gateway), undefined)
  assert.deepEqual(await trashed(gateway), [
    {
      trashId: removed.trashId,
      kind: 'task',
      itemId: task.taskId,
      label: 'Old',
      repo: 'web',
      itemCount: 1,
      deletedBy: 'operator',
      reason: 'a duplicate',
      deletedAt: at(gateway),
      purgeAfter: at(gateway, 30 * 24 * 3_600),
      restoreTool: 'tasks_restore',
    },
  ])
})

test('deleting and restoring stand in the audit trail as task.trash and task.restore, refusals do not', async () => {
  await using gateway = await start()
  const { taskId } = await create(gateway)
  const { trashId } = await remove(gateway, taskId, { reason: 'why' })
  await assert.rejects(remove(gateway, taskId))
  await restore(gateway, { trashId })
  await assert.rejects(restore(gateway, { trashId }))
  assert.deepEqual(await audited(gateway, 'task.trash'), [{ taskId, trashId, reason: 'why' }])
  assert.deepEqual(await audited(gateway, 'task.restore'), [{ taskId, trashId }])
})

test('a working task is refused and stays; every other status can be deleted', async () => {
  await using gateway = await start()
  const task = await working(gateway)
  await assert.rejects(remove(gateway, task.taskId), {
    code: 'TASK_WORKING',
    status: 409,
    details: { taskId: task.taskId, leaseUntil: task.leaseUntil },
  })
  assert.deepEqual([await get(gateway, task), await trashed(gateway)], [task, []])
  const { taskId } = await update(gateway, await create(gateway), { status: 'working' })
  await assert.rejects(remove(gateway, taskId), { code: 'TASK_WORKING', details: { taskId } })
  for (const status of ['pending', 'review', 'done', 'blocked', 'paused', 'dead_letter']) {
    const { taskId } = await update(gateway, await create(gateway), { status })
    await remove(gateway, taskId)
  }
})

test('the entry says which caller deleted it', async () => {
  await using gateway = await start()
  const { taskId } = await create(gateway)
  await gateway.call('tasks_delete', { taskId }, { as: { kind: 'api-key', role: 'member', id: 'runner-7' } })
  assert.equal((await trashed(gateway))[0].deletedBy, 'runner-7')
})

test('an unknown id, and one of another tenant, is NOT_FOUND', async () => {
  await using gateway = await start()
  const theirs = await create(gateway, {}, { as: { tenantId: 'acme' } })
  for (const taskId of ['task-x', theirs.taskId]) await assert.rejects(remove(gateway, taskId), refusal('NOT_FOUND'))
})

test('a restored task is the original, by either id, and the entry is consumed', async () => {
  await using gateway = await start()
  for (const by of ['trashId', 'taskId'] as const) {
    const task = await update(gateway, await create(gateway), {
      status: 'done',
      outputTokens: 5,
      notes: 'kept',
      prUrl: 'https://example.org/1',
    })
    const { trashId } = await remove(gateway, task.taskId)
    gateway.clock.advance(60)
    assert.deepEqual(await restore(gateway, by === 'trashId' ? { trashId } : { taskId: task.taskId }), { task })
    assert.deepEqual([await get(gateway, task), await trashed(gateway)], [task, []])
    await assert.rejects(restore(gateway, { trashId }), refusal('NOT_FOUND'))
  }
})

test('a restored pending task is claimable again', async () => {
  await using gateway = await start()
  const { taskId } = await create(gateway)
  await remove(gateway, taskId)
  await restore(gateway, { taskId })
  assert.equal((await claim(gateway))?.taskId, taskId)
})

test('trashId wins over taskId', async () => {
  await using gateway = await start()
  const [a, b] = [await create(gateway), await create(gateway)]
  const { trashId } = await remove(gateway, a.taskId)
  await remove(gateway, b.taskId)
  assert.equal((await restore(gateway, { trashId, taskId: b.taskId })).task.taskId, a.taskId)
})

test('neither id is BAD_REQUEST that names both', async () => {
  await using gateway = await start()
  await assert.rejects(restore(gateway, {}), { code: 'BAD_REQUEST', message: /trashId.*taskId/ })
})

/** Moves a task into the trash that still exists, as no tool of the family would. */
const copyToTrash = definePlugin({
  id: 'test-copy',
  sdk: '^1.0.0',
  description: 'Copies into the trash.',
  tools: [
    defineTool({
      name: 'test_copy',
      description: 'For tests.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ task: Type.Unknown() }, closed),
      output: Type.Object({ trashId: Type.String() }),
      uses: { trashBin, atomically },
      async handle({ task }, { trashBin, atomically }) {
        const { taskId: itemId } = task as Task
        const entry = { kind: 'task', itemId, label: 'copy', itemCount: 1, deletedBy: 'ada', payload: task }
        return { trashId: (await atomically((tx) => trashBin.put(entry, tx))).trashId }
      },
    }),
  ],
})

test('an active task with the id makes restoring fail, and the entry stays', async () => {
  await using gateway = await start({ plugins: [copyToTrash] })
  const task = await create(gateway)
  const { trashId } = await gateway.call('test_copy', { task: { ...task, title: 'Another' } })
  for (const by of [{ trashId }, { taskId: task.taskId }]) await assert.rejects(restore(gateway, by), refusal('CONFLICT', 'taskId'))
  assert.deepEqual([await get(gateway, task), (await trashed(gateway)).length], [task, 1])
  const refused = await gateway.inject({ method: 'POST', url: '/api/tasks/restore', body: { trashId } })
  assert.equal(refused.status, 409)
})

test('many at once: a task is deleted once and restored once', async () => {
  await using gateway = await start()
  const { taskId } = await create(gateway)
  const won = async (calls: Promise<unknown>[]) => (await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled').length
  assert.equal(await won(Array.from({ length: 10 }, () => remove(gateway, taskId))), 1)
  assert.equal(await won(Array.from({ length: 10 }, () => restore(gateway, { taskId }))), 1)
})

test('DELETE /api/tasks/:taskId and POST /api/tasks/restore are the same tools', async () => {
  await using gateway = await start()
  const { taskId } = await create(gateway)
  const removed = await gateway.inject({ method: 'DELETE', url: `/api/tasks/${taskId}` })
  assert.equal(removed.status, 200)
  const restored = await gateway.inject({ method: 'POST', url: '/api/tasks/restore', body: { trashId: removed.json().trashId } })
  assert.deepEqual([restored.status, restored.json().task.taskId], [200, taskId])
  const refused = await gateway.inject({ method: 'DELETE', url: `/api/tasks/${(await working(gateway)).taskId}` })
  assert.deepEqual([refused.status, refused.json().code], [409, 'TASK_WORKING'])
})
