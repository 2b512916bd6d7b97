import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { claim, create, start, type Task, type TestGateway, update } from './support.ts'

async function list(gateway: TestGateway, args: object = {}): Promise<{ tasks: Task[]; nextCursor?: string }> {
  return gateway.call('tasks_list', args)
}
const titles = async (gateway: TestGateway, args: object = {}) => (await list(gateway, args)).tasks.map(({ title }) => title)

/** Creates tasks titled by their number, as many in one call as a batch takes. */
async function createMany(gateway: TestGateway, count: number): Promise<void> {
  const operations = Array.from({ length: count }, (_, i) => ({ action: 'create', repo: 'web', title: String(i) }))
  while (operations.length > 0) await gateway.call('tasks_bulk', { operations: operations.splice(0, 100) })
}

test('tasks come by priority, then by age, then by id', async () => {
  await using gateway = await start()
  for (const [title, priority] of [
    ['c', 'P2'],
    ['d', 'P2'],
    ['a', 'P0'],
    ['e', 'P3'],
    ['b', 'P1'],
  ] as const) {
    await create(gateway, { title, priority })
  }
  gateway.clock.advance(1)
  await create(gateway, { title: 'younger', priority: 'P0' })
  assert.deepEqual(await titles(gateway), ['a', 'younger', 'b', 'c', 'd', 'e'])
  const { tasks } = await list(gateway)
  const twins = tasks.filter(({ priority }) => priority === 'P2')
  assert.equal(twins[0]?.createdAt, twins[1]?.createdAt)
  assert.ok(String(twins[0]?.taskId) < String(twins[1]?.taskId))
})

test('the order is the same over all statuses', async () => {
  await using gateway = await start()
  const statuses = ['pending', 'working', 'review', 'done', 'blocked', 'paused', 'dead_letter']
  for (const [i, status] of statuses.entries()) {
    gateway.clock.advance(1)
    await update(gateway, await create(gateway, { title: status, priority: `P${3 - (i % 4)}` }), { status })
  }
  const first = await list(gateway, { limit: 4 })
  const second = await list(gateway, { limit: 4, cursor: first.nextCursor })
  assert.deepEqual(
    [...first.tasks, ...second.tasks].map(({ status }) => status),
    ['done', 'review', 'dead_letter', 'working', 'paused', 'pending', 'blocked'],
  )
})

test('filters: repo, status, priority, assignedAgent, alone and together', async () => {
  await using gateway = await start()
  await create(gateway, { title: 'a', repo: 'web', priority: 'P0', assignedAgent: 'ada' })
  await create(gateway, { title: 'b', repo: 'api', priority: 'P1', assignedAgent: 'ada' })
  await create(gateway, { title: 'c', repo: 'web', priority: 'P2' })
  await claim(gateway)
  assert.deepEqual(await titles(gateway, { repo: 'web' }), ['a', 'c'])
  assert.deepEqual(await titles(gateway, { status: 'pending' }), ['b', 'c'])
  assert.deepEqual(await titles(gateway, { status: 'working' }), ['a'])
  assert.deepEqual(await titles(gateway, { priority: 'P1' }), ['b'])
  assert.deepEqual(await titles(gateway, { assignedAgent: 'ada' }), ['a', 'b'])
  assert.deepEqual(await titles(gateway, { repo: 'web', status: 'pending', priority: 'P2' }), ['c'])
  assert.deepEqual(await titles(gateway, { repo: 'web', assignedAgent: 'ada', status: 'working' }), ['a'])
  assert.deepEqual(await titles(gateway, { repo: 'none' }), [])
})

test('status pending holds what is ready, waiting and delayed', async () => {
  await using gateway = await start()
  const ready = await create(gateway, { title: 'ready' })
  await create(gateway, { title: 'waiting', dependsOn: [ready.taskId] })
  await update(gateway, await create(gateway, { title: 'delayed' }), { status: 'pending', deferSeconds: 60 })
  assert.deepEqual(await titles(gateway, { status: 'pending' }), ['ready', 'waiting', 'delayed'])
})

test('limit omitted means 50, and nextCursor is there when and only when more exist', async () => {
  await using gateway = await start()
  await createMany(gateway, 51)
  const first = await list(gateway)
  assert.equal(first.tasks.length, 50)
  assert.ok(first.nextCursor)
  const second = await list(gateway, { cursor: first.nextCursor })
  assert.deepEqual([second.tasks.map(({ title }) => title), 'nextCursor' in second], [['50'], false])
  assert.equal('nextCursor' in (await list(gateway, { limit: 51 })), false)
})

test('a limit above 500 is cut to 500; one below 1 is refused', async () => {
  await using gateway = await start()
  await createMany(gateway, 501)
  const { tasks, nextCursor } = await list(gateway, { limit: 100_000 })
  assert.deepEqual([tasks.length, nextCursor !== undefined], [500, true])
  for (const limit of [0, -1, 1.5]) {
    await assert.rejects(list(gateway, { limit }), refusal('BAD_REQUEST', 'limit'))
  }
})

test('pages neither repeat nor lose a task while others come, go and change', async () => {
  await using gateway = await start()
  await createMany(gateway, 30)
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await list(gateway, { limit: 7, ...(cursor && { cursor }) })
    seen.push(...page.tasks.map(({ title }) => title))
    await create(gateway, { title: 'new', priority: 'P0' })
    await gateway.call('tasks_delete', { taskId: page.tasks[0]?.taskId })
    cursor = page.nextCursor
  } while (cursor)
  assert.deepEqual(
    seen,
    Array.from({ length: 30 }, (_, i) => String(i)),
  )
})

test('a cursor that is none, or of another listing, is refused by name', async () => {
  await using gateway = await start()
  await createMany(gateway, 3)
  const { nextCursor } = await list(gateway, { limit: 1 })
  for (const args of [{ cursor: 'nonsense' }, { cursor: nextCursor, repo: 'web' }]) {
    await assert.rejects(list(gateway, args), refusal('BAD_REQUEST', 'cursor'))
  }
})

test('status and priority take only their values', async () => {
  await using gateway = await start()
  await assert.rejects(list(gateway, { status: 'open' }), { code: 'BAD_REQUEST', message: /status.*pending.*dead_letter.*"open"/ })
  await assert.rejects(list(gateway, { priority: 'p0' }), { code: 'BAD_REQUEST', message: /priority.*P0.*"p0"/ })
})

test('GET /api/tasks takes the arguments as its query', async () => {
  await using gateway = await start()
  await create(gateway, { title: 'a', repo: 'web' })
  await create(gateway, { title: 'b', repo: 'api' })
  const response = await gateway.inject({ method: 'GET', url: '/api/tasks?repo=web&limit=10' })
  assert.deepEqual([response.status, response.json().tasks.map(({ title }: Task) => title)], [200, ['a']])
})

test('taskId returns exactly that task, in any status, or none if it does not fit the other filters', async () => {
  await using gateway = await start()
  const task = await update(gateway, await create(gateway, { repo: 'web' }), { status: 'done' })
  await create(gateway)
  const { taskId } = task
  assert.deepEqual((await gateway.call('tasks_list', { taskId })).tasks, [task])
  assert.deepEqual((await gateway.call('tasks_list', { taskId, status: 'done', repo: 'web' })).tasks, [task])
  assert.deepEqual((await gateway.call('tasks_list', { taskId, status: 'pending' })).tasks, [])
  assert.deepEqual((await gateway.call('tasks_list', { taskId: 'task-none' })).tasks, [])
  assert.deepEqual((await gateway.inject({ method: 'GET', url: `/api/tasks?taskId=${taskId}` })).json().tasks, [task])
})

test('q finds words of title and description, best match first, among the tasks that fit the other filters', async () => {
  await using gateway = await start()
  const title = await create(gateway, { title: 'Rotate the signing keys' })
  const description = await create(gateway, { title: 'Chores', description: 'The keys for signing are old.' })
  await create(gateway, { title: 'Paint the shed' })
  const other = await create(gateway, { title: 'Signing keys', repo: 'api' })
  const ids = async (args: object): Promise<string[]> =>
    (await gateway.call('tasks_list', args)).tasks.map(({ taskId }: { taskId: string }) => taskId)
  assert.deepEqual((await ids({ q: 'signing keys', repo: 'web' })).sort(), [title.taskId, description.taskId].sort())
  assert.equal((await ids({ q: 'signing keys' })).length, 3)
  assert.deepEqual(await ids({ q: 'signing keys', taskId: other.taskId }), [other.taskId])
  assert.deepEqual(await ids({ q: 'nowhere' }), [])
  assert.equal((await ids({ q: 'signing keys', limit: 1 })).length, 1)
  await update(gateway, title, { status: 'done' })
  assert.deepEqual(await ids({ q: 'rotate', status: 'done' }), [title.taskId])
  await assert.rejects(ids({ q: 'keys', cursor: 'x' }), refusal('BAD_REQUEST', 'cursor'))
})
