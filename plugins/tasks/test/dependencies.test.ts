import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needs, refusal } from '@gateway/testing'
import { claim, create, get, HOUR, start, type Task, type TestGateway, update } from './support.ts'

/** Tasks by name, each depending on the ones named for it. */
async function graph(gateway: TestGateway, shape: Record<string, string[]>): Promise<Record<string, Task>> {
  const tasks: Record<string, Task> = {}
  for (const [title, upstreams] of Object.entries(shape)) {
    tasks[title] = await create(gateway, { title, dependsOn: upstreams.map((name) => tasks[name]!.taskId) })
  }
  return tasks
}

const stage = async (gateway: TestGateway, task: Task) => {
  const { stage, waitingOn } = await get(gateway, task)
  return [stage, waitingOn]
}

test('dependsOn replaces the whole list, and [] clears it', async () => {
  await using gateway = await start()
  const { a, b, c } = (await graph(gateway, { a: [], b: [], c: ['a'] })) as { a: Task; b: Task; c: Task }
  const changed = await update(gateway, c, { dependsOn: [b.taskId, b.taskId] })
  assert.deepEqual([changed.dependsOn, changed.waitingOn, changed.stage], [[b.taskId], 1, 'waiting'])
  assert.deepEqual([(await get(gateway, a)).dependents, (await get(gateway, b)).dependents], [undefined, 1])
  await update(gateway, a, { status: 'done' })
  assert.deepEqual(await stage(gateway, c), ['waiting', 1])
  const cleared = await update(gateway, c, { dependsOn: [] })
  assert.deepEqual([cleared.dependsOn, cleared.waitingOn, cleared.stage], [undefined, undefined, 'ready'])
})

test('leaving out an upstream that is done lets go of nothing else', async () => {
  await using gateway = await start()
  const { a, b, c } = (await graph(gateway, { a: [], b: [], c: ['a', 'b'] })) as { a: Task; b: Task; c: Task }
  await update(gateway, a, { status: 'done' })
  assert.deepEqual([(await update(gateway, c, { dependsOn: [b.taskId] })).waitingOn, await stage(gateway, c)], [1, ['waiting', 1]])
})

test('what does not exist is refused, all of it named, and nothing changes', async () => {
  await using gateway = await start()
  const { a, b } = (await graph(gateway, { a: [], b: ['a'] })) as { a: Task; b: Task }
  await assert.rejects(update(gateway, b, { dependsOn: ['task-x', a.taskId], notes: 'x' }), {
    code: 'UNKNOWN_DEPENDENCY',
    details: { field: 'dependsOn', taskIds: ['task-x'] },
  })
  assert.deepEqual([await get(gateway, a), await get(gateway, b)], [{ ...a, dependents: 1 }, b])
})

test('a task cannot depend on itself', async () => {
  await using gateway = await start()
  const a = await create(gateway)
  await assert.rejects(update(gateway, a, { dependsOn: [a.taskId] }), {
    code: 'DEPENDENCY_CYCLE',
    status: 400,
    details: { field: 'dependsOn', path: [a.taskId, a.taskId] },
  })
})

test('a circle is refused with its path, however long it is, and nothing changes', async () => {
  await using gateway = await start()
  const shape = { a: [], b: ['a'], c: ['b'], d: ['b'], e: ['c', 'd'] }
  const { a, b, d, e } = (await graph(gateway, shape)) as Record<string, Task> & Record<'a' | 'b' | 'd' | 'e', Task>
  await assert.rejects(update(gateway, a, { dependsOn: [b.taskId] }), {
    details: { field: 'dependsOn', path: [a.taskId, b.taskId, a.taskId] },
  })
  const before = await get(gateway, a)
  await assert.rejects(update(gateway, a, { dependsOn: [e.taskId] }), (error: { code?: string; details?: { path: string[] } }) => {
    const path = error.details?.path ?? []
    assert.deepEqual(
      [error.code, path.length, path[0], path[1], path[3], path[4]],
      ['DEPENDENCY_CYCLE', 5, a.taskId, e.taskId, b.taskId, a.taskId],
    )
    return true
  })
  assert.deepEqual(await get(gateway, a), before)
  // The other direction closes no cycle.
  await update(gateway, e, { dependsOn: [a.taskId, d.taskId] })
})

test('an upstream that leaves done holds its dependents back again', async () => {
  await using gateway = await start()
  const { a, b } = (await graph(gateway, { a: [], b: ['a'] })) as { a: Task; b: Task }
  for (const status of ['done', 'pending', 'done', 'done', 'blocked']) {
    await update(gateway, a, { status })
    assert.deepEqual(await stage(gateway, b), status === 'done' ? ['ready', undefined] : ['waiting', 1])
  }
})

test('a dependent that is let go keeps its own delay', async () => {
  await using gateway = await start()
  const { a, b } = (await graph(gateway, { a: [], b: ['a'] })) as { a: Task; b: Task }
  await update(gateway, b, { status: 'pending', deferSeconds: 60 })
  await update(gateway, a, { status: 'done' })
  assert.deepEqual(await stage(gateway, b), ['delayed', undefined])
  gateway.clock.advance(60)
  assert.equal((await claim(gateway))?.taskId, b.taskId)
})

test('counting goes on while a dependent is not pending', async () => {
  await using gateway = await start()
  const { a, b } = (await graph(gateway, { a: [], b: ['a'] })) as { a: Task; b: Task }
  await update(gateway, b, { status: 'paused' })
  await update(gateway, a, { status: 'done' })
  assert.deepEqual(await stage(gateway, b), ['paused', undefined])
  assert.equal((await update(gateway, b, { status: 'pending' })).stage, 'ready')
})

test('a deleted upstream keeps its dependents waiting; one deleted when done does not', async () => {
  await using gateway = await start()
  const { a, b, c } = (await graph(gateway, { a: [], b: [], c: ['a', 'b'] })) as { a: Task; b: Task; c: Task }
  await update(gateway, b, { status: 'done' })
  for (const { taskId } of [a, b]) await gateway.call('tasks_delete', { taskId })
  assert.deepEqual(await stage(gateway, c), ['waiting', 1])
  await assert.rejects(create(gateway, { dependsOn: [a.taskId] }), refusal('UNKNOWN_DEPENDENCY', 'dependsOn'))
  await gateway.call('tasks_restore', { taskId: a.taskId })
  await update(gateway, a, { status: 'done' })
  assert.deepEqual(await stage(gateway, c), ['ready', undefined])
})

test('a restored task finds what became of its upstreams and dependents while it was away', async () => {
  await using gateway = await start()
  const { a, b, c, d } = (await graph(gateway, { a: [], b: [], c: ['a', 'b'], d: ['c'] })) as Record<'a' | 'b' | 'c' | 'd', Task>
  await gateway.call('tasks_delete', { taskId: c.taskId })
  await update(gateway, a, { status: 'done' })
  await gateway.call('tasks_delete', { taskId: a.taskId })
  await update(gateway, d, { dependsOn: [b.taskId] })
  const { task } = await gateway.call('tasks_restore', { taskId: c.taskId })
  assert.deepEqual([task.waitingOn, task.stage, task.dependents], [1, 'waiting', undefined])
  await gateway.call('tasks_restore', { taskId: a.taskId })
  assert.deepEqual(await stage(gateway, c), ['waiting', 1])
  await update(gateway, b, { status: 'done' })
  assert.deepEqual(await stage(gateway, c), ['ready', undefined])
})

test('no circle closes through a task in the trash', async () => {
  await using gateway = await start()
  const { a, b, c } = (await graph(gateway, { a: [], b: ['a'], c: ['b'] })) as { a: Task; b: Task; c: Task }
  await gateway.call('tasks_delete', { taskId: b.taskId })
  await assert.rejects(update(gateway, a, { dependsOn: [c.taskId] }), {
    code: 'DEPENDENCY_CYCLE',
    details: { field: 'dependsOn', path: [a.taskId, c.taskId, b.taskId, a.taskId] },
  })
})

/** Moves tasks to the trash and lets their time there run out. */
async function purge(gateway: TestGateway, ...tasks: Task[]): Promise<void> {
  for (const { taskId } of tasks) await gateway.call('tasks_delete', { taskId })
  gateway.clock.advance(30 * 24 * HOUR)
  await gateway.runJob('trash.retention')
}

test('a task that is gone for good is no dependent any more, and closes no circle', async () => {
  await using gateway = await start()
  const { a, b, c, d } = (await graph(gateway, { a: [], b: ['a'], c: ['b'], d: ['a'] })) as Record<'a' | 'b' | 'c' | 'd', Task>
  await update(gateway, b, { status: 'done' })
  await gateway.call('tasks_delete', { taskId: d.taskId })
  gateway.clock.advance(1)
  await purge(gateway, b)
  assert.equal((await get(gateway, a)).dependents, undefined)
  assert.equal((await update(gateway, a, { dependsOn: [c.taskId] })).waitingOn, 1)
})

test('an upstream that is gone for good is as it was when it was deleted: dependents wait for it until told otherwise', async () => {
  await using gateway = await start()
  const { a, b, c } = (await graph(gateway, { a: [], b: [], c: ['a', 'b'] })) as Record<'a' | 'b' | 'c', Task>
  await update(gateway, b, { status: 'done' })
  await purge(gateway, a, b)
  assert.deepEqual(await stage(gateway, c), ['waiting', 1])
  assert.equal((await update(gateway, c, { dependsOn: [b.taskId] })).stage, 'ready')
  await purge(gateway, c)
  assert.deepEqual((await gateway.documents())['tasks.edges'], [])
})

test('at most 2,000 tasks depend on one; who asks for more is told so, and nothing changes', needs('scale'), async () => {
  await using gateway = await start()
  const a = await create(gateway)
  const operations = Array.from({ length: 100 }, (_, i) => ({ action: 'create', repo: 'web', title: String(i), dependsOn: [a.taskId] }))
  for (let i = 0; i < 20; i++) await gateway.call('tasks_bulk', { operations })
  const refused = { code: 'TOO_MANY_DEPENDENTS', status: 409, details: { field: 'dependsOn', taskId: a.taskId, max: 2_000 } }
  await assert.rejects(create(gateway, { title: 'one more', dependsOn: [a.taskId] }), refused)
  const other = await create(gateway)
  await assert.rejects(update(gateway, other, { dependsOn: [a.taskId] }), refused)
  assert.deepEqual([(await get(gateway, a)).dependents, await get(gateway, other)], [2_000, other])
})

test('of a long circle both ends are told', async () => {
  await using gateway = await start()
  const first = await create(gateway)
  let last = first
  for (let i = 0; i < 60; i++) last = await create(gateway, { title: String(i), dependsOn: [last.taskId] })
  await assert.rejects(update(gateway, first, { dependsOn: [last.taskId] }), (error: { details?: { path: string[] } }) => {
    const path = error.details?.path ?? []
    assert.deepEqual([path.length, path[0], path[1], path[25], path.at(-1)], [51, first.taskId, last.taskId, '…', first.taskId])
    return true
  })
})

test('an upstream lets go of very many dependents in the step that completes it', needs('scale'), async () => {
  await using gateway = await start()
  const a = await create(gateway)
  const operations = Array.from({ length: 100 }, (_, i) => ({ action: 'create', repo: 'web', title: String(i), dependsOn: [a.taskId] }))
  for (let i = 0; i < 6; i++) await gateway.call('tasks_bulk', { operations })
  assert.equal((await update(gateway, a, { status: 'done' })).dependents, 600)
  const { tasks } = await gateway.call('tasks_list', { status: 'pending', limit: 500 })
  assert.deepEqual([...new Set(tasks.map(({ stage }: Task) => stage))], ['ready'])
})
