import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusal } from '@gateway/testing'
import { at, claim, create, get, start, update } from './support.ts'

test('a task is stored as it was given, pending and ready, and is returned with its id', async () => {
  await using gateway = await start()
  const given = {
    repo: 'web',
    title: 'Fix the login',
    description: 'It fails on Mondays.',
    priority: 'P1',
    assignedAgent: 'coder',
    recommendedModel: 'big',
    recommendedModelPreference: true,
    source: 'connect-hub',
    sourceId: 'hub-7',
    notes: 'Start with the tests.',
  }
  const { taskId, ...rest } = await create(gateway, given)
  assert.match(taskId, /^task-\w+$/)
  assert.deepEqual(rest, {
    ...given,
    status: 'pending',
    stage: 'ready',
    readyFor: '* @coder',
    createdAt: at(gateway),
    updatedAt: at(gateway),
  })
  await gateway.restart()
  assert.deepEqual(await get(gateway, { taskId }), { taskId, ...rest })
})

test('priority and source omitted mean P2 and manual', async () => {
  await using gateway = await start()
  const { priority, source } = await create(gateway)
  assert.deepEqual([priority, source], ['P2', 'manual'])
})

test('a task with upstreams waits until every one of them is done', async () => {
  await using gateway = await start()
  const [first, second] = [await create(gateway), await create(gateway)]
  const task = await create(gateway, { dependsOn: [first.taskId, second.taskId] })
  assert.deepEqual([task.stage, task.waitingOn, task.dependsOn], ['waiting', 2, [first.taskId, second.taskId]])
  await update(gateway, first, { status: 'done' })
  await update(gateway, second, { status: 'review' })
  assert.deepEqual(await claim(gateway), undefined)
  await update(gateway, second, { status: 'done' })
  assert.equal((await claim(gateway))?.taskId, task.taskId)
})

test('an upstream that is done already holds nothing back', async () => {
  await using gateway = await start()
  const upstream = await create(gateway)
  await update(gateway, upstream, { status: 'done' })
  assert.equal((await create(gateway, { dependsOn: [upstream.taskId] })).stage, 'ready')
})

test('an upstream named twice counts once', async () => {
  await using gateway = await start()
  const { taskId } = await create(gateway)
  const task = await create(gateway, { dependsOn: [taskId, taskId] })
  assert.deepEqual([task.dependsOn, task.waitingOn], [[taskId], 1])
  assert.equal((await get(gateway, { taskId })).dependents, 1)
})

test('upstreams that do not exist reject the call, all of them are named, and nothing changes', async () => {
  await using gateway = await start()
  const known = await create(gateway)
  await assert.rejects(create(gateway, { dependsOn: ['task-x', known.taskId, 'task-y'] }), {
    code: 'UNKNOWN_DEPENDENCY',
    status: 400,
    details: { field: 'dependsOn', taskIds: ['task-x', 'task-y'] },
    message: /task-x, task-y/,
  })
  assert.deepEqual((await gateway.call('tasks_list')).tasks, [known])
})

test('a task of another tenant is no upstream, and a tenantId argument is dropped', async () => {
  await using gateway = await start()
  const theirs = await create(gateway, {}, { as: { tenantId: 'acme' } })
  await assert.rejects(create(gateway, { dependsOn: [theirs.taskId] }), { code: 'UNKNOWN_DEPENDENCY' })
  const mine = await create(gateway, { tenantId: 'acme' })
  assert.deepEqual((await gateway.call('tasks_list')).tasks, [mine])
})

test('what is wrong with an argument is said with its name, and nothing changes', async () => {
  await using gateway = await start()
  const wrong: [object, string][] = [
    [{ repo: undefined }, 'repo'],
    [{ repo: '  ' }, 'repo'],
    [{ title: undefined }, 'title'],
    [{ title: '' }, 'title'],
    [{ title: 7 }, 'title'],
    [{ priority: 'P4' }, 'priority'],
    [{ source: 'email' }, 'source'],
    [{ recommendedModelPreference: 'yes' }, 'recommendedModelPreference'],
    [{ dependsOn: 'task-1' }, 'dependsOn'],
    [{ status: 'done' }, 'status'],
  ]
  for (const [args, field] of wrong) {
    await assert.rejects(create(gateway, args), refusal('BAD_REQUEST', field))
  }
  assert.deepEqual((await gateway.call('tasks_list')).tasks, [])
})

test('creating needs the work capability', async () => {
  await using gateway = await start({ env: { RBAC_ENFORCE: '1' } })
  const as = (role: 'viewer' | 'member') => ({ as: { kind: 'user', role } as const })
  await assert.rejects(create(gateway, {}, as('viewer')), { code: 'FORBIDDEN' })
  await create(gateway, {}, as('member'))
})

test('POST /api/tasks answers 201 with the task', async () => {
  await using gateway = await start()
  const response = await gateway.inject({ method: 'POST', url: '/api/tasks', body: { repo: 'web', title: 'Over REST' } })
  assert.deepEqual([response.status, response.json().task.title], [201, 'Over REST'])
  const refused = await gateway.inject({ method: 'POST', url: '/api/tasks', body: { repo: 'web', title: 'x', dependsOn: ['task-x'] } })
  assert.deepEqual([refused.status, refused.json().code], [400, 'UNKNOWN_DEPENDENCY'])
})

test('white space around the name of a repo is left out, and a name that looks like another is refused', async () => {
  await using gateway = await start()
  for (const repo of ['web\n', ' web ', '\tweb\ufeff']) {
    const task = await create(gateway, { repo })
    assert.equal(task.repo, 'web')
    assert.equal((await claim(gateway, { repo }))?.taskId, task.taskId)
  }
  assert.equal((await create(gateway, { repo: 'gro\u0308\u00dfe ' })).repo, 'gr\u00f6\u00dfe')
  const { taskId } = await create(gateway)
  for (const repo of ['twi\u200bn', 'we\nb', 'w\u0000eb', 'w\u202eeb', 'w\u3164b', '..']) {
    for (const [tool, args] of [
      ['tasks_create', { repo, title: 'x' }],
      ['tasks_update', { taskId, repo }],
      ['tasks_list', { repo }],
      ['tasks_claim', { repo, claimedBy: 'ada' }],
    ] as const)
      await assert.rejects(gateway.call(tool, args), refusal('BAD_REQUEST', 'repo', /invisible characters/), `${tool} ${repo}`)
  }
  const { results } = await gateway.call('tasks_bulk', {
    operations: [' api ', 'a\u200bpi'].map((repo) => ({ action: 'create', repo, title: 'x' })),
  })
  assert.deepEqual([results[0].task.repo, results[1].code], ['api', 'BAD_REQUEST'])
  for (const repo of ['/srv/my web', 'git@code.example:acme/web.git', 'C:\\work\\web', 'my web', '日本語', '❤️'])
    assert.equal((await create(gateway, { repo })).repo, repo)
})
