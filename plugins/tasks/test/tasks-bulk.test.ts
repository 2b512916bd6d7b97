import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin } from '@gateway/sdk'
import { refusal } from '@gateway/testing'
import { taskChange } from '../src/api.ts'
import { alerts, create, get, start, type Task, type TestGateway, update, working } from './support.ts'

interface Verdict {
  index: number
  action: string
  ok: boolean
  taskId?: string
  task?: Task
  error?: string
  code?: string
}
interface Outcome {
  results: Verdict[]
  total: number
  succeeded: number
  failed: number
}
const bulk = (gateway: TestGateway, operations: object[], args: object = {}): Promise<Outcome> =>
  gateway.call('tasks_bulk', { operations, ...args })
const codes = ({ results }: Outcome) => results.map(({ ok, code }) => (ok ? 'ok' : code))
const newTask = { action: 'create', repo: 'web', title: 'New' }

test('create, update, cancel and reprioritize run in order, each with its verdict, and are counted', async () => {
  await using gateway = await start()
  const task = await create(gateway)
  const outcome = await bulk(gateway, [
    newTask,
    { action: 'update', taskId: task.taskId, notes: 'seen' },
    { action: 'reprioritize', taskId: task.taskId, priority: 'P0' },
    { action: 'cancel', taskId: 'task-x' },
    { action: 'cancel', taskId: task.taskId },
  ])
  const [created, updated, reprioritized, unknown, cancelled] = outcome.results
  assert.deepEqual([outcome.total, outcome.succeeded, outcome.failed], [5, 4, 1])
  assert.deepEqual(created, {
    index: 0,
    action: 'create',
    ok: true,
    taskId: created?.taskId,
    task: await get(gateway, { taskId: String(created?.taskId) }),
  })
  assert.deepEqual([created?.task?.priority, created?.task?.source], ['P2', 'manual'])
  assert.deepEqual([updated?.action, updated?.taskId, updated?.task?.notes], ['update', task.taskId, 'seen'])
  const { updatedAt } = reprioritized?.task ?? {}
  assert.deepEqual(reprioritized?.task, { ...updated?.task, priority: 'P0', updatedAt })
  assert.deepEqual(unknown, { index: 3, action: 'cancel', ok: false, taskId: 'task-x', error: unknown?.error, code: 'NOT_FOUND' })
  assert.match(String(unknown?.error), /task-x/)
  assert.deepEqual(cancelled?.task, await get(gateway, task))
})

test('no operations are no work; more than 100 are refused and nothing is done', async () => {
  await using gateway = await start()
  assert.deepEqual(await bulk(gateway, []), { results: [], total: 0, succeeded: 0, failed: 0 })
  await assert.rejects(bulk(gateway, Array(101).fill(newTask)), refusal('BAD_REQUEST', 'operations'))
  assert.deepEqual((await gateway.call('tasks_list')).tasks, [])
  assert.equal((await bulk(gateway, Array(100).fill(newTask))).succeeded, 100)
})

test('a blank repo is as good as none', async () => {
  await using gateway = await start()
  const { results } = await bulk(
    gateway,
    ['', ' \t'].map((repo) => ({ ...newTask, repo })),
  )
  for (const [index, { code, error }] of results.entries()) {
    assert.deepEqual([code, error], ['BAD_REQUEST', `\`operations[${index}].repo\` is missing; create needs it.`])
  }
})

test('a failed operation stops no other, unless stopOnError is set: then the rest is SKIPPED', async () => {
  await using gateway = await start()
  const operations = [newTask, { action: 'update', taskId: 'task-x' }, newTask, { action: 'cancel', taskId: 'task-y' }]
  assert.deepEqual(codes(await bulk(gateway, operations)), ['ok', 'NOT_FOUND', 'ok', 'NOT_FOUND'])
  const halted = await bulk(gateway, operations, { stopOnError: true })
  assert.deepEqual(codes(halted), ['ok', 'NOT_FOUND', 'SKIPPED', 'SKIPPED'])
  assert.deepEqual([halted.total, halted.succeeded, halted.failed], [4, 1, 3])
  assert.deepEqual(halted.results[3], {
    index: 3,
    action: 'cancel',
    ok: false,
    taskId: 'task-y',
    error: 'Skipped, because operation 1 failed and stopOnError is set.',
    code: 'SKIPPED',
  })
  assert.equal((await gateway.call('tasks_list')).tasks.length, 3)
})

test('$N stands for the task that operation N created: in taskId, supersededBy and dependsOn', async () => {
  await using gateway = await start()
  const old = await create(gateway)
  const { results } = await bulk(gateway, [
    newTask,
    { ...newTask, dependsOn: ['$0', old.taskId] },
    { action: 'cancel', taskId: old.taskId, supersededBy: '$0' },
    { action: 'update', taskId: '$1', priority: 'P0' },
    { action: 'reprioritize', taskId: '$0', priority: 'P3' },
  ])
  const [first, second, cancelled, updated, reprioritized] = results.map(({ task }) => task)
  assert.deepEqual(second?.dependsOn, [first?.taskId, old.taskId])
  assert.equal(cancelled?.supersededBy, first?.taskId)
  assert.deepEqual([updated?.taskId, updated?.priority], [second?.taskId, 'P0'])
  assert.deepEqual([reprioritized?.taskId, reprioritized?.priority, results[4]?.taskId], [first?.taskId, 'P3', first?.taskId])
})

test('$N of a later, a missing, a failed or a non-create operation fails its own operation alone', async () => {
  await using gateway = await start()
  const { taskId } = await create(gateway)
  const outcome = await bulk(gateway, [
    { action: 'update', taskId: '$1' },
    { ...newTask, taskId },
    { action: 'update', taskId: '$1' },
    { action: 'update', taskId },
    { action: 'update', taskId: '$3' },
    { ...newTask, dependsOn: ['$9'] },
    { action: 'update', taskId: '$6' },
    newTask,
  ])
  const unknown = 'UNKNOWN_REFERENCE'
  assert.deepEqual(codes(outcome), [unknown, 'BAD_REQUEST', unknown, 'ok', unknown, unknown, unknown, 'ok'])
  assert.match(String(outcome.results[5]?.error), /dependsOn\[0\].*\$9/)
})

test('the verdict of a failed operation names the task that its $N stands for', async () => {
  await using gateway = await start()
  const { results } = await bulk(gateway, [newTask, { action: 'update', taskId: '$0', dependsOn: ['task-x'] }])
  assert.deepEqual([results[1]?.code, results[1]?.taskId], ['UNKNOWN_DEPENDENCY', results[0]?.taskId])
})

test('an operation that meets a fault of the gateway fails alone; the log has what the verdict does not tell', async () => {
  const refusing = definePlugin({
    id: 'test-refuse',
    sdk: '^1.0.0',
    description: 'Fails at every change.',
    contributes: [
      contribute(taskChange, {
        create: () => ({
          async apply() {
            throw new Error('a secret')
          },
        }),
      }),
    ],
  })
  await using gateway = await start({ plugins: [refusing] })
  const { results } = await bulk(gateway, [newTask, { action: 'cancel', taskId: '$0' }, newTask])
  const taskId = String(results[0]?.taskId)
  assert.deepEqual(results[1], { index: 1, action: 'cancel', ok: false, taskId, error: 'Internal error.', code: 'INTERNAL_ERROR' })
  assert.deepEqual([results[2]?.ok, (await get(gateway, { taskId })).status], [true, 'pending'])
  assert.ok(gateway.logs.some(({ level, index, err }) => level === 50 && index === 1 && /a secret/.test(JSON.stringify(err))))
})

test('cancel blocks from any status with a note, which reason elaborates', async () => {
  await using gateway = await start({ env: { BULK_BLOCK_THRESHOLD: '100' } })
  for (const status of ['pending', 'working', 'review', 'done', 'blocked', 'paused', 'dead_letter']) {
    const { taskId } = await update(gateway, await create(gateway, { notes: 'before' }), { status })
    const [plain] = (await bulk(gateway, [{ action: 'cancel', taskId }])).results
    assert.deepEqual([plain?.task?.status, plain?.task?.notes], ['blocked', 'before\nCancelled.'], status)
    assert.ok(plain?.task?.completedAt)
  }
  const [{ taskId }, { taskId: supersededBy }] = [await create(gateway), await create(gateway)]
  const [explained] = (await bulk(gateway, [{ action: 'cancel', taskId, reason: 'no budget', supersededBy }])).results
  assert.equal(explained?.task?.notes, `Cancelled, superseded by ${supersededBy}: no budget`)
})

test('reprioritize changes only the priority', async () => {
  await using gateway = await start()
  const task = await working(gateway)
  const [changed] = (await bulk(gateway, [{ action: 'reprioritize', taskId: task.taskId, priority: 'P1' }])).results
  assert.deepEqual(changed?.task, { ...task, priority: 'P1', updatedAt: changed?.task?.updatedAt })
})

test('the bulk-block guard applies within a batch; supersededBy and operatorAuthorized authorize', async () => {
  await using gateway = await start()
  const many = async () => (await bulk(gateway, Array(8).fill(newTask))).results.map(({ taskId }) => taskId)
  const cancel = async (more: object) =>
    codes(
      await bulk(
        gateway,
        (await many()).map((taskId) => ({ action: 'cancel', taskId, ...more })),
      ),
    )
  const guarded = [...Array(5).fill('ok'), ...Array(3).fill('BULK_BLOCK_GUARD')]
  assert.deepEqual(await cancel({ supersededBy: (await create(gateway)).taskId }), Array(8).fill('ok'))
  assert.deepEqual(await cancel({ operatorAuthorized: true }), Array(8).fill('ok'))
  assert.deepEqual(await cancel({}), guarded)
  assert.equal(alerts(gateway, 'tasks.bulk-block').length, 3)
})

test('dependencies are checked and stamps are set as by the single tools', async () => {
  await using gateway = await start()
  const [a, b] = [await create(gateway), await create(gateway)]
  await update(gateway, b, { dependsOn: [a.taskId] })
  const outcome = await bulk(gateway, [
    { action: 'update', taskId: a.taskId, dependsOn: [b.taskId] },
    { action: 'update', taskId: a.taskId, dependsOn: ['task-x'] },
    { action: 'update', taskId: a.taskId, status: 'working' },
    { action: 'update', taskId: a.taskId, status: 'done' },
    { action: 'update', taskId: b.taskId, status: 'pending', deferSeconds: 5 },
    { action: 'update', taskId: b.taskId, deferSeconds: 5 },
  ])
  assert.deepEqual(codes(outcome), ['DEPENDENCY_CYCLE', 'UNKNOWN_DEPENDENCY', 'ok', 'ok', 'ok', 'BAD_REQUEST'])
  const [, , started, done, deferred] = outcome.results.map(({ task }) => task)
  assert.ok(started?.startedAt && done?.completedAt)
  assert.deepEqual([deferred?.stage, deferred?.pacingDeferCount], ['delayed', 1])
})

test('operatorAuthorized of an automated caller fails its operation alone', async () => {
  await using gateway = await start()
  const { taskId } = await create(gateway)
  const operations = [{ action: 'cancel', taskId, operatorAuthorized: true }, newTask]
  const outcome = await gateway.call('tasks_bulk', { operations }, { as: { kind: 'api-key', role: 'member' } })
  assert.deepEqual(codes(outcome), ['FORBIDDEN', 'ok'])
})

test('a field that an action needs or does not take is named, and its operation alone fails', async () => {
  await using gateway = await start()
  const { taskId } = await create(gateway)
  const wrong: [object, string][] = [
    [{ action: 'create', title: 'x' }, 'repo'],
    [{ action: 'create', repo: 'web' }, 'title'],
    [{ action: 'create', repo: '', title: 'x' }, 'repo'],
    [{ ...newTask, status: 'done' }, 'status'],
    [{ ...newTask, taskId }, 'taskId'],
    [{ action: 'update', notes: 'x' }, 'taskId'],
    [{ action: 'update', taskId, title: 'x' }, 'title'],
    [{ action: 'cancel', reason: 'x' }, 'taskId'],
    [{ action: 'cancel', taskId, notes: 'x' }, 'notes'],
    [{ action: 'reprioritize', taskId }, 'priority'],
    [{ action: 'reprioritize', priority: 'P0' }, 'taskId'],
    [{ action: 'reprioritize', taskId, priority: 'P0', reason: 'x' }, 'reason'],
  ]
  const { results } = await bulk(
    gateway,
    wrong.map(([operation]) => operation),
  )
  for (const [i, [, field]] of wrong.entries()) {
    assert.equal(results[i]?.code, 'BAD_REQUEST')
    assert.ok(results[i]?.error?.startsWith(`\`operations[${i}].${field}\``), results[i]?.error)
  }
})

test('a malformed operation gets the verdict BAD_REQUEST with its field, and the others run', async () => {
  await using gateway = await start()
  const wrong: [unknown, string, string][] = [
    [{ action: 'delete', taskId: 'x' }, '.action', 'delete'],
    [{ taskId: 'x' }, '.action', 'unknown'],
    [{ ...newTask, priority: 'P4' }, '.priority', 'create'],
    [{ ...newTask, colour: 'red' }, '.colour', 'create'],
    [{ ...newTask, title: 7 }, '.title', 'create'],
    [{ ...newTask, title: 'x'.repeat(501) }, '.title', 'create'],
    [{ ...newTask, title: ' \t' }, '.title', 'create'],
    [{ ...newTask, dependsOn: [' '] }, '.dependsOn[0]', 'create'],
    [{ action: 'cancel', taskId: 'x', supersededBy: ' ' }, '.supersededBy', 'cancel'],
    [{ ...newTask, dependsOn: 'task-1' }, '.dependsOn', 'create'],
    [{ ...newTask, dependsOn: [{}] }, '.dependsOn[0]', 'create'],
    [{ ...newTask, dependsOn: Array(201).fill('task-1') }, '.dependsOn', 'create'],
    [{ action: 'update', taskId: 'x', outputTokens: 1.5 }, '.outputTokens', 'update'],
    [{ action: 'update', taskId: 'x', outputTokens: -1 }, '.outputTokens', 'update'],
    [{ action: 'update', taskId: 'x', pacingDefer: 'yes' }, '.pacingDefer', 'update'],
    [{ action: 'update', taskId: 5 }, '.taskId', 'update'],
    [JSON.parse('{"action":"create","repo":"a","title":"x","constructor":1}'), '.constructor', 'create'],
    ['create', '', 'unknown'],
    [null, '', 'unknown'],
    [[], '', 'unknown'],
  ]
  for (const [operation, field, action] of wrong) {
    const { results, total, succeeded, failed } = await bulk(gateway, [newTask, operation as object, newTask])
    assert.deepEqual([total, succeeded, failed], [3, 2, 1], field)
    const [, verdict] = results
    assert.deepEqual([verdict?.ok, verdict?.code, verdict?.action], [false, 'BAD_REQUEST', action], field)
    assert.ok(verdict?.error?.startsWith(`\`operations[1]${field}\` `), verdict?.error)
  }
  const halted = await bulk(gateway, [newTask, { ...newTask, priority: 'P4' }, newTask], { stopOnError: true })
  assert.deepEqual(codes(halted), ['ok', 'BAD_REQUEST', 'SKIPPED'])
})

test('an operation is read as leniently as the arguments of a tool of its own', async () => {
  await using gateway = await start()
  const filled = {
    action: 'create',
    repo: 'web',
    title: 'x',
    description: null,
    assignedAgent: null,
    priority: '',
    dependsOn: '[]',
    taskId: '',
  }
  const { taskId } = await create(gateway)
  const { results } = await bulk(gateway, [
    filled,
    { action: 'update', taskId, outputTokens: '5', dependsOn: '["$0"]', notes: null },
    { action: 'reprioritize', taskId, priority: 'P0', notes: '', description: null, status: '' },
    JSON.stringify({ action: 'cancel', taskId, operatorAuthorized: 'true' }) as unknown as object,
  ])
  assert.deepEqual(results.map(({ error }) => error).filter(Boolean), [])
  const [made, updated, first] = results.map(({ task }) => task)
  assert.deepEqual([made?.priority, made?.description, updated?.outputTokens, updated?.dependsOn], ['P2', undefined, 5, [made?.taskId]])
  assert.equal(first?.priority, 'P0')
})

test('POST /api/tasks/bulk answers 200 with the verdicts', async () => {
  await using gateway = await start()
  const body = { operations: [newTask, { action: 'cancel', taskId: '$7' }] }
  const response = await gateway.inject({ method: 'POST', url: '/api/tasks/bulk', body })
  assert.deepEqual([response.status, codes(response.json())], [200, ['ok', 'UNKNOWN_REFERENCE']])
})

test('a value out of bounds is refused with its field, its bound and what came', async () => {
  await using gateway = await start()
  const refused = async (fields: object) => (await bulk(gateway, [{ ...newTask, ...fields }])).results[0]?.error
  assert.equal(await refused({ title: '' }), '`operations[0].title` must have at least 1 character; got "".')
  assert.equal(
    await refused({ dependsOn: Array.from({ length: 201 }, (_, n) => `task-${n}`) }),
    '`operations[0].dependsOn` must have at most 200 items; got an array of 201.',
  )
  assert.equal(await refused({ outputTokens: -1 }), '`operations[0].outputTokens` must be at least 0; got -1.')
})
