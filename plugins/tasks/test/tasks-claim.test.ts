import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin } from '@gateway/sdk'
import { needs, refusal } from '@gateway/testing'
import fc from 'fast-check'
import { claimGate, type GateState } from '../src/api.ts'
import { at, claim, create, get, HOUR, start, update, working } from './support.ts'

test('a claim moves the task to working and says who has it, since when and until when', async () => {
  await using gateway = await start()
  const task = await create(gateway)
  gateway.clock.advance(7)
  const result = await gateway.call('tasks_claim', { claimedBy: 'runner-1' })
  const { readyFor: _, ...rest } = task
  assert.deepEqual(result, {
    claimed: true,
    task: {
      ...rest,
      status: 'working',
      stage: 'working',
      claimedBy: 'runner-1',
      claimedByPrincipal: 'operator',
      workedBy: 'runner-1',
      claimedAt: at(gateway),
      startedAt: at(gateway),
      updatedAt: at(gateway),
      leaseUntil: at(gateway, HOUR),
      claimId: result.task.claimId,
    },
  })
  assert.match(result.task.claimId, /^claim-\w+$/)
  assert.deepEqual(await get(gateway, task), result.task)
})

test('every claim has a claimId of its own', async () => {
  await using gateway = await start()
  const first = await working(gateway)
  await update(gateway, first, { status: 'pending' })
  assert.notEqual((await claim(gateway))?.claimId, first.claimId)
})

test('with nothing to claim the answer is {claimed: false}', async () => {
  await using gateway = await start()
  assert.deepEqual(await gateway.call('tasks_claim', { claimedBy: 'ada' }), { claimed: false })
  const response = await gateway.inject({ method: 'POST', url: '/api/tasks/claim', body: { claimedBy: 'ada' } })
  assert.deepEqual([response.status, response.json()], [200, { claimed: false }])
})

test('P0 comes first, then the oldest, then by id', async () => {
  await using gateway = await start()
  const titles = ['f', 'b', 'c', 'd', 'a', 'e']
  for (const [i, priority] of ['P3', 'P0', 'P1', 'P1', 'P0', 'P2'].entries()) {
    if (i === 4) gateway.clock.advance(-60)
    await create(gateway, { title: titles[i], priority })
  }
  const claimed = []
  for (let task = await claim(gateway); task; task = await claim(gateway)) claimed.push(task.title)
  assert.deepEqual(claimed, ['a', 'b', 'c', 'd', 'e', 'f'])
})

test('only pending tasks are claimable', async () => {
  await using gateway = await start()
  for (const status of ['working', 'review', 'done', 'blocked', 'paused', 'dead_letter']) {
    const { taskId } = await update(gateway, await create(gateway), { status })
    for (const wish of [{}, { repo: 'web' }, { repo: 'web', localModels: [] }, { localModels: [], ignoreRepos: ['none'] }]) {
      assert.equal(await claim(gateway, wish), undefined, status)
    }
    const { claimed, reason } = await gateway.call('tasks_claim', { claimedBy: 'ada', taskId })
    assert.equal(claimed, false)
    assert.match(reason, new RegExp(status))
  }
})

test('leaseSeconds sets the lease; it is a whole number from one second to a week', async () => {
  await using gateway = await start()
  for (const leaseSeconds of [1, 7 * 24 * HOUR]) {
    await create(gateway)
    assert.equal((await claim(gateway, { leaseSeconds }))?.leaseUntil, at(gateway, leaseSeconds))
  }
  for (const leaseSeconds of [0, -1, 1.5, 7 * 24 * HOUR + 1, 'sixty']) {
    await assert.rejects(claim(gateway, { leaseSeconds }), refusal('BAD_REQUEST', 'leaseSeconds'))
  }
})

test('claimedBy is needed', async () => {
  await using gateway = await start()
  for (const claimedBy of [undefined, '', ' ']) await assert.rejects(claim(gateway, { claimedBy }), refusal('BAD_REQUEST', 'claimedBy'))
})

test('a task is skipped while an upstream is not done', async () => {
  await using gateway = await start()
  const upstream = await create(gateway, { priority: 'P3' })
  const task = await create(gateway, { priority: 'P0', dependsOn: [upstream.taskId] })
  assert.equal((await claim(gateway))?.taskId, upstream.taskId)
  for (const status of ['working', 'review', 'blocked', 'paused', 'dead_letter']) {
    await update(gateway, upstream, { status })
    assert.equal(await claim(gateway), undefined, status)
  }
  await update(gateway, upstream, { status: 'done' })
  assert.equal((await claim(gateway))?.taskId, task.taskId)
})

test('the gates of the queue hold for an explicit taskId too, and the answer says which', async () => {
  await using gateway = await start()
  const upstream = await create(gateway)
  const waiting = await create(gateway, { dependsOn: [upstream.taskId] })
  const delayed = await update(gateway, await create(gateway), { status: 'pending', deferSeconds: 60 })
  const reason = async (taskId: string) => (await gateway.call('tasks_claim', { claimedBy: 'ada', taskId })).reason
  assert.match(await reason(waiting.taskId), new RegExp(`waits.*${upstream.taskId}`))
  assert.match(await reason(delayed.taskId), new RegExp(`not to be tried before ${delayed.nextRetryAt}`))
  assert.match(await reason('task-x'), /no task task-x/)
  gateway.clock.advance(60)
  assert.equal((await claim(gateway, { taskId: delayed.taskId }))?.taskId, delayed.taskId)
})

test('an explicit taskId is claimed out of turn', async () => {
  await using gateway = await start()
  await create(gateway, { priority: 'P0' })
  const { taskId } = await create(gateway, { priority: 'P3' })
  assert.equal((await claim(gateway, { taskId }))?.taskId, taskId)
})

test('a delayed task is claimable from its time on, to the millisecond, and not before', async () => {
  await using gateway = await start()
  const task = await update(gateway, await create(gateway), { status: 'pending', deferSeconds: 10 })
  for (const [seconds, claimed] of [
    [9.95, false],
    [0.049, false],
    [0.001, true],
  ] as const) {
    gateway.clock.advance(seconds)
    assert.equal((await claim(gateway))?.taskId, claimed ? task.taskId : undefined)
  }
})

test('among tasks whose delay is over the order is the usual one', async () => {
  await using gateway = await start()
  for (const [title, priority, deferSeconds] of [
    ['b', 'P1', 10],
    ['a', 'P0', 20],
    ['c', 'P2', 0],
  ] as const) {
    await update(gateway, await create(gateway, { title, priority }), { status: 'pending', deferSeconds })
  }
  gateway.clock.advance(20)
  assert.deepEqual([(await claim(gateway))?.title, (await claim(gateway))?.title, (await claim(gateway))?.title], ['a', 'b', 'c'])
})

test('however many delays are over, the order is the usual one', needs('scale'), async () => {
  await using gateway = await start()
  const operations = Array.from({ length: 50 }, (_, i) => [
    { action: 'create', repo: 'web', title: 'x' },
    { action: 'update', taskId: `$${i * 2}`, status: 'pending', deferSeconds: 10 },
  ]).flat()
  for (let i = 0; i < 10; i++) await gateway.call('tasks_bulk', { operations })
  const { taskId } = await update(gateway, await create(gateway, { priority: 'P0' }), { status: 'pending', deferSeconds: 20 })
  gateway.clock.advance(20)
  assert.equal((await claim(gateway))?.taskId, taskId)
})

test('repo takes from that repo alone; ignoreRepos from all others', async () => {
  await using gateway = await start()
  for (const [repo, priority] of [
    ['a', 'P0'],
    ['b', 'P1'],
    ['c', 'P2'],
    ['b', 'P3'],
  ] as const)
    await create(gateway, { repo, priority })
  assert.equal(await claim(gateway, { repo: 'b', ignoreRepos: ['b'] }), undefined)
  assert.equal((await claim(gateway, { repo: 'b', ignoreRepos: ['a'] }))?.priority, 'P1')
  assert.equal((await claim(gateway, { ignoreRepos: ['a', 'none'] }))?.repo, 'c')
  assert.equal((await claim(gateway, { ignoreRepos: ['a'] }))?.priority, 'P3')
  assert.equal(await claim(gateway, { ignoreRepos: ['a'] }), undefined)
  assert.equal(await claim(gateway, { repo: 'none' }), undefined)
  assert.equal((await claim(gateway, { ignoreRepos: [] }))?.repo, 'a')
})

test('ignored repos are passed however many tasks they have in front, and however many repos there are', needs('scale'), async () => {
  await using gateway = await start()
  const operations = Array.from({ length: 90 }, (_, i) => ({ action: 'create', repo: `repo-${i}`, title: 'x', priority: 'P0' }))
  await gateway.call('tasks_bulk', { operations })
  for (const priority of ['P3', 'P1', 'P2']) await create(gateway, { repo: `repo-${priority}`, priority })
  const ignoreRepos = operations.map(({ repo }) => repo)
  for (const priority of ['P1', 'P2', 'P3']) assert.equal((await claim(gateway, { ignoreRepos }))?.priority, priority)
  assert.equal(await claim(gateway, { ignoreRepos }), undefined)
  assert.equal((await claim(gateway, { ignoreRepos: ignoreRepos.slice(0, 20) }))?.repo, 'repo-20')
})

test('with localModels a task pinned to another local model is skipped', async () => {
  await using gateway = await start()
  const model = (recommendedModel: string, more: object = {}) => create(gateway, { recommendedModel, ...more })
  const slash = await model('local/llama', { priority: 'P0' })
  const colon = await model('local:qwen', { priority: 'P1' })
  const hosted = await model('big')
  const wish = await model('local/other', { recommendedModelPreference: true })
  const names = async (localModels: string[]) => {
    const found = []
    for (const { taskId } of [slash, colon, hosted, wish]) {
      const { claimed } = await gateway.call('tasks_claim', { claimedBy: 'ada', taskId, localModels })
      found.push(claimed)
      if (claimed) await update(gateway, { taskId }, { status: 'pending' })
    }
    return found
  }
  assert.deepEqual(await names([]), [false, false, true, true])
  assert.deepEqual(await names(['llama']), [true, false, true, true])
  assert.deepEqual(await names(['local:llama', 'local/qwen']), [true, true, true, true])
  assert.equal((await claim(gateway, { localModels: ['qwen'] }))?.taskId, colon.taskId)
  assert.equal((await claim(gateway, { localModels: ['nothing'] }))?.taskId, hosted.taskId)
  assert.equal((await claim(gateway, { localModels: [], ignoreRepos: ['web'] }))?.taskId, undefined)
  assert.equal((await claim(gateway, { localModels: [], repo: 'web' }))?.taskId, wish.taskId)
  assert.equal(await claim(gateway, { localModels: [] }), undefined)
  assert.equal((await claim(gateway, { localModels: ['local:llama'], repo: 'web' }))?.taskId, slash.taskId)
})

test('without localModels nothing is filtered by model', async () => {
  await using gateway = await start()
  const { taskId } = await create(gateway, { recommendedModel: 'local/llama', priority: 'P0' })
  await create(gateway)
  assert.equal((await claim(gateway))?.taskId, taskId)
})

test('pinned tasks are passed however many stand in front, in order over repos and models', needs('scale'), async () => {
  await using gateway = await start()
  const operations = Array.from({ length: 70 }, (_, i) => ({
    action: 'create',
    repo: `repo-${i}`,
    title: 'x',
    priority: 'P0',
    recommendedModel: 'local/absent',
  }))
  await gateway.call('tasks_bulk', { operations })
  for (const [title, repo, recommendedModel, priority] of [
    ['b', 'repo-1', 'local/m2', 'P2'],
    ['c', 'repo-2', undefined, 'P3'],
    ['a', 'repo-3', 'local/m1', 'P1'],
    ['ignored', 'repo-4', 'local/m1', 'P1'],
  ]) {
    await create(gateway, { title, repo, priority, ...(recommendedModel && { recommendedModel }) })
  }
  const request = { localModels: ['m1', 'm2'], ignoreRepos: ['repo-4'] }
  const claimed = []
  for (let task = await claim(gateway, request); task; task = await claim(gateway, request)) claimed.push(task.title)
  assert.deepEqual(claimed, ['a', 'b', 'c'])
})

test('a changed pin counts from the change on, also for a task that was delayed meanwhile', async () => {
  await using gateway = await start()
  const task = await update(gateway, await create(gateway), { status: 'pending', deferSeconds: 60 })
  await update(gateway, task, { recommendedModel: 'local/llama' })
  gateway.clock.advance(60)
  for (const repo of [{}, { repo: 'web' }]) assert.equal(await claim(gateway, { localModels: ['other'], ...repo }), undefined)
  await update(gateway, task, { recommendedModelPreference: true })
  assert.equal((await claim(gateway, { localModels: ['other'] }))?.taskId, task.taskId)
})

test('tasks of another tenant are not claimable', async () => {
  await using gateway = await start()
  const { taskId } = await create(gateway, {}, { as: { tenantId: 'acme' } })
  assert.equal(await claim(gateway), undefined)
  assert.equal(await claim(gateway, { taskId }), undefined)
})

test('a closed gate stops every claim with its reason, and tasks_next; an open one stops none', async () => {
  let state: GateState = { open: false, reason: 'The fleet is in maintenance', until: '2026-01-05T10:00:00.000Z' }
  const gate = definePlugin({
    id: 'test-gate',
    sdk: '^1.0.0',
    description: 'Opens and closes.',
    contributes: [contribute(claimGate, { create: () => ({ check: async () => state }) })],
  })
  await using gateway = await start({ plugins: [gate] })
  const { taskId } = await create(gateway)
  for (const args of [{}, { taskId }, { repo: 'web' }, { localModels: [] }]) {
    assert.deepEqual(await gateway.call('tasks_claim', { claimedBy: 'ada', ...args }), {
      claimed: false,
      reason: 'The fleet is in maintenance (until 2026-01-05T10:00:00.000Z)',
    })
  }
  const reason = 'The fleet is in maintenance (until 2026-01-05T10:00:00.000Z)'
  assert.deepEqual(await gateway.call('tasks_next'), { task: null, reason })
  state = { open: false, reason: 'Held' }
  assert.deepEqual(await gateway.call('tasks_claim', { claimedBy: 'ada' }), { claimed: false, reason: 'Held' })
  state = { open: true }
  assert.equal((await claim(gateway))?.taskId, taskId)
})

test('of many claimers of one task exactly one wins', async () => {
  await using gateway = await start()
  for (const args of [{}, { repo: 'web' }, { ignoreRepos: ['x'] }, { localModels: ['m'] }, 'taskId'] as const) {
    const { taskId } = await create(gateway)
    const request = args === 'taskId' ? { taskId } : args
    const won = await Promise.all(Array.from({ length: 40 }, (_, i) => claim(gateway, { claimedBy: `w${i}`, ...request })))
    const winners = won.filter((task) => task !== undefined)
    assert.deepEqual(
      winners.map((task) => task.taskId),
      [taskId],
    )
    assert.deepEqual(await get(gateway, { taskId }), winners[0])
  }
})

test('a task that is moved or pinned while it is claimed by its id is not given to whom it does not fit any more', async () => {
  await using gateway = await start()
  const wish = { recommendedModel: 'local/llama', recommendedModelPreference: true }
  for (const [draft, field, value] of [
    [{}, 'repo', 'api'],
    [{}, 'recommendedModel', 'local/llama'],
    [wish, 'recommendedModelPreference', false],
  ] as const) {
    for (let i = 0; i < 10; i++) {
      const { taskId } = await create(gateway, draft)
      const request = { taskId, repo: 'web', localModels: ['other'] }
      const [won] = await Promise.all([claim(gateway, request), update(gateway, { taskId }, { [field]: value })])
      assert.notEqual(won?.[field], value)
    }
  }
})

test('a delayed task that is paused as it falls due stays paused', async () => {
  await using gateway = await start()
  for (let i = 0; i < 10; i++) {
    const task = await update(gateway, await create(gateway), { status: 'pending', deferSeconds: 10 })
    gateway.clock.advance(10)
    await Promise.all([claim(gateway), update(gateway, task, { status: 'paused' })])
    assert.equal((await get(gateway, task)).stage, 'paused')
  }
})

test('while tasks last every claimer gets one, and no two the same, whatever they ask for', needs('scale'), async () => {
  await using gateway = await start()
  const operations = Array.from({ length: 100 }, (_, i) => ({
    action: 'create',
    repo: `repo-${i % 7}`,
    title: 'x',
    ...(i % 3 === 0 && { recommendedModel: `local/m${i % 2}` }),
  }))
  await gateway.call('tasks_bulk', { operations })
  const wishes = [{}, { ignoreRepos: ['none'] }, { localModels: ['m0', 'm1'] }, { localModels: ['m0', 'm1'], ignoreRepos: ['none'] }]
  const claimed = await Promise.all(
    Array.from({ length: 100 }, (_, i) => claim(gateway, { claimedBy: `w${i}`, ...wishes[i % wishes.length] })),
  )
  assert.equal(new Set(claimed.map((task) => task?.taskId)).size, 100)
  assert.ok(claimed.every((task) => task !== undefined))
})

test('of claimers that come at once and name what they leave out, none is told there is nothing while there is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 24 }), async (repos, count) => {
      await using gateway = await start()
      for (let i = 0; i < count; i++) await create(gateway, { repo: `repo-${i % repos}` })
      const claimers = Array.from({ length: count }, (_, i) => claim(gateway, { claimedBy: `c-${i}`, ignoreRepos: ['none'] }))
      const claimed = (await Promise.all(claimers)).map((task) => task?.taskId)
      assert.equal(new Set(claimed).size, count)
      assert.ok(!claimed.includes(undefined))
    }),
    { numRuns: 8 },
  )
})
