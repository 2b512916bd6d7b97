import assert from 'node:assert/strict'
import { test } from 'node:test'
import trash from '@gateway/plugin-trash'
import { contribute, definePlugin } from '@gateway/sdk'
import { refusal, startTestGateway } from '@gateway/testing'
import { taskChange } from '../src/api.ts'
import { tasks as collection } from '../src/collections.ts'
import tasks from '../src/index.ts'
import type { ShownTask as Task } from '../src/schema.ts'
import { alerts, at, claim, create, fail, get, HOUR, MINUTE, start, type TestGateway, update, working } from './support.ts'

const STATUSES = ['pending', 'working', 'review', 'done', 'blocked', 'paused', 'dead_letter'] as const

/** A task that was moved to a status some time ago. */
async function inStatus(gateway: TestGateway, status: string) {
  const task = await update(gateway, await create(gateway), { status, operatorAuthorized: true })
  gateway.clock.advance(10)
  return task
}

test('a stamp of 0 is shown, a counter of 0 is not', async () => {
  await using gateway = await start()
  const task = await update(gateway, await create(gateway), { workTypeFailoverHop: 0 })
  assert.equal(task.workTypeFailoverHop, 0)
  for (const name of ['dependsOn', 'outputTokens', 'retryCount', 'waitingOn', 'dependents']) assert.equal(name in task, false, name)
})

test('plain fields and stamps are set as given, and others stay', async () => {
  await using gateway = await start()
  const task = await create(gateway, { description: 'stays' })
  const given = {
    priority: 'P0',
    assignedAgent: 'coder',
    recommendedModel: 'big',
    recommendedModelPreference: false,
    prUrl: 'https://example.org/pr/1',
    notes: 'new notes',
    chatMessageId: 12,
    routedProfile: 'fast',
    routedModel: 'small',
    routedComplexity: 'complex',
    executionLane: 'agentic-fallback',
    executionProvider: 'provider_b',
    workType: 'code-review',
    workTypeTier: 'budget',
    workTypeFailoverHop: 2,
    supersededBy: (await create(gateway)).taskId,
    noopDispatch: true,
  }
  gateway.clock.advance(5)
  const changed = await update(gateway, task, given)
  assert.deepEqual(changed, { ...task, ...given, readyFor: '*=big @coder', updatedAt: at(gateway) })
  assert.deepEqual(await get(gateway, task), changed)
})

test('arguments take only their values', async () => {
  await using gateway = await start()
  const task = await create(gateway)
  for (const [field, value] of Object.entries({
    status: 'open',
    priority: 'P9',
    routedComplexity: 'high',
    executionLane: 'secondary',
    workType: 'cooking',
    dependsOn: 'task-1',
    supersededBy: ' ',
    claim: 'x',
  })) {
    await assert.rejects(update(gateway, task, { [field]: value }), refusal('BAD_REQUEST', field))
  }
  assert.deepEqual(await get(gateway, task), task)
})

test('repo moves a task to another repo; an empty or blank repo is ignored', async () => {
  await using gateway = await start()
  const task = await create(gateway, { repo: 'wrong' })
  for (const repo of ['', ' \t']) assert.equal((await update(gateway, task, { repo })).repo, 'wrong')
  assert.equal((await update(gateway, task, { repo: 'right' })).repo, 'right')
  assert.equal(await claim(gateway, { repo: 'wrong' }), undefined)
  assert.equal((await claim(gateway, { repo: 'right' }))?.taskId, task.taskId)
})

test('an unknown id, and one of another tenant, is NOT_FOUND', async () => {
  await using gateway = await start()
  const theirs = await create(gateway, {}, { as: { tenantId: 'acme' } })
  for (const taskId of ['task-x', theirs.taskId]) await assert.rejects(update(gateway, { taskId }, { notes: 'x' }), refusal('NOT_FOUND'))
})

test('updating needs the work capability', async () => {
  await using gateway = await start({ env: { RBAC_ENFORCE: '1' } })
  const task = await create(gateway)
  await assert.rejects(update(gateway, task, { notes: 'x' }, { as: { kind: 'user', role: 'viewer' } }), refusal('FORBIDDEN'))
  await update(gateway, task, { notes: 'x' }, { as: { kind: 'user', role: 'member' } })
})

test('working from any status sets startedAt', async () => {
  await using gateway = await start()
  for (const from of STATUSES) {
    const task = await inStatus(gateway, from)
    const { status, startedAt, leaseUntil } = await update(gateway, task, { status: 'working' })
    assert.deepEqual([status, startedAt, leaseUntil], ['working', at(gateway), undefined], from)
  }
})

test('done and blocked from any other status set completedAt; set again they keep it', async () => {
  await using gateway = await start()
  for (const to of ['done', 'blocked']) {
    for (const from of STATUSES) {
      const task = await inStatus(gateway, from)
      const { completedAt } = await update(gateway, task, { status: to, operatorAuthorized: true })
      assert.equal(completedAt, from === to ? task.completedAt : at(gateway), `${from} to ${to}`)
    }
  }
})

test('review, paused and dead_letter are allowed from anywhere and set no stamp', async () => {
  await using gateway = await start()
  for (const to of ['review', 'paused', 'dead_letter']) {
    for (const from of STATUSES) {
      const { status, completedAt, startedAt } = await update(gateway, await inStatus(gateway, from), { status: to })
      assert.deepEqual([status, completedAt, startedAt !== undefined], [to, undefined, from === 'working'], `${from} to ${to}`)
    }
  }
})

test('a task that is no longer done or blocked has no completedAt', async () => {
  await using gateway = await start()
  for (const to of ['pending', 'working']) {
    assert.equal((await update(gateway, await inStatus(gateway, 'done'), { status: to })).completedAt, undefined)
  }
})

test('leaving working clears the lease and its holder', async () => {
  await using gateway = await start()
  for (const to of STATUSES.filter((status) => status !== 'working')) {
    const { claimedBy, claimedAt, leaseUntil } = await update(gateway, await working(gateway), { status: to, operatorAuthorized: true })
    assert.deepEqual([claimedBy, claimedAt, leaseUntil], [undefined, undefined, undefined], to)
  }
})

test('pending from blocked and from dead_letter is a replay: the retry ledger is cleared', async () => {
  await using gateway = await start({ env: { TASK_MAX_RETRIES: '1' } })
  for (const end of ['blocked', 'dead_letter']) {
    let task = await fail(gateway, await working(gateway))
    gateway.clock.advance(6 * HOUR)
    assert.equal((await claim(gateway, { taskId: task.taskId }))?.retryCount, 1)
    task = end === 'blocked' ? await update(gateway, task, { status: 'blocked' }) : await fail(gateway, task)
    assert.deepEqual([task.status, task.retryCount, task.lastError], [end, 1, 'it broke'])
    task = await update(gateway, task, { status: 'pending' })
    assert.deepEqual([task.retryCount, task.lastError, task.nextRetryAt, task.stage], [undefined, undefined, undefined, 'ready'])
  }
})

test('pending from elsewhere keeps the retry ledger', async () => {
  await using gateway = await start()
  const failed = await fail(gateway, await working(gateway))
  const again = await update(gateway, await update(gateway, failed, { status: 'paused' }), { status: 'pending' })
  assert.deepEqual([again.retryCount, again.lastError, again.nextRetryAt], [1, 'it broke', at(gateway, 5 * MINUTE)])
  assert.equal(again.stage, 'delayed')
})

test('a stale claimId is refused and changes nothing; the current one passes', async () => {
  await using gateway = await start()
  const first = await working(gateway)
  gateway.clock.advance(HOUR)
  await gateway.call('task_lease_reap')
  await assert.rejects(update(gateway, first, { status: 'done', claimId: first.claimId }), refusal('CONFLICT', 'claimId'))
  gateway.clock.advance(HOUR)
  const second = await claim(gateway, { claimedBy: 'bob' })
  assert.equal(second?.taskId, first.taskId)
  await assert.rejects(update(gateway, first, { status: 'done', claimId: first.claimId }), refusal('CONFLICT', 'claimId'))
  assert.deepEqual(await get(gateway, first), second)
  assert.equal((await update(gateway, first, { status: 'done', claimId: second?.claimId })).status, 'done')
})

test('a task that was given back has no claim any more', async () => {
  await using gateway = await start()
  const { claimId, ...task } = await working(gateway)
  assert.equal((await update(gateway, task, { status: 'pending', claimId })).claimId, undefined)
  await assert.rejects(update(gateway, task, { status: 'done', claimId }), refusal('CONFLICT', 'claimId'))
})

test('a worker whose answer was lost can repeat the update that ended its work', async () => {
  await using gateway = await start()
  const { claimId, ...task } = await working(gateway)
  const done = await update(gateway, task, { status: 'done', claimId })
  gateway.clock.advance(10)
  assert.deepEqual(await update(gateway, task, { status: 'done', claimId }), done)
})

test('a claim ends when somebody else moves its task, so that its worker does not undo their decision', async () => {
  await using gateway = await start()
  const { claimId, ...task } = await working(gateway)
  const decided = await update(gateway, task, { status: 'blocked', notes: 'Not now.', operatorAuthorized: true })
  assert.equal(decided.claimId, undefined)
  for (const args of [{ status: 'done' }, { status: 'review' }, { notes: 'Half of it.' }, { status: 'working' }, { leaseSeconds: 60 }]) {
    await assert.rejects(update(gateway, task, { ...args, claimId }), refusal('CONFLICT', 'claimId', /it is blocked/))
  }
  assert.deepEqual(await get(gateway, task), decided)
})

test('a person who ends a review ends the claim of its worker too', async () => {
  await using gateway = await start()
  for (const decide of [
    (taskId: string) => gateway.call('tasks.move', { taskId, status: 'done' }),
    (taskId: string) => gateway.call('tasks.send-back', { taskId, note: 'A test.' }),
  ]) {
    const { claimId, ...task } = await working(gateway)
    await update(gateway, task, { status: 'review', claimId })
    const { task: decided } = await decide(task.taskId)
    await assert.rejects(update(gateway, task, { status: 'review', claimId }), refusal('CONFLICT', 'claimId'))
    assert.deepEqual(await get(gateway, task), decided)
  }
})

test('a worker that has left its task takes it up again by a claim only', async () => {
  await using gateway = await start()
  const { claimId, ...task } = await working(gateway)
  const left = await update(gateway, task, { status: 'review', claimId })
  await assert.rejects(update(gateway, task, { status: 'working', claimId }), refusal('CONFLICT', 'status', /is review: claim it again/))
  assert.deepEqual(await get(gateway, task), left)
})

test('a pacing defer returns a working task to pending, counts, and pushes nextRetryAt out', async () => {
  await using gateway = await start()
  for (const args of [{ deferSeconds: 90 }, { deferSeconds: 90, pacingDefer: true }]) {
    const task = await update(gateway, await working(gateway), { status: 'pending', ...args })
    assert.deepEqual([task.status, task.pacingDeferCount, task.nextRetryAt], ['pending', 1, at(gateway, 90)])
    assert.equal(await claim(gateway), undefined)
    gateway.clock.advance(90)
    const again = await claim(gateway)
    assert.deepEqual([again?.taskId, again?.nextRetryAt], [task.taskId, undefined])
    assert.equal((await update(gateway, task, { status: 'pending', ...args })).pacingDeferCount, 2)
    await update(gateway, task, { status: 'done' })
  }
})

test('pacingDefer alone counts and gives the task back at once', async () => {
  await using gateway = await start()
  const task = await update(gateway, await working(gateway), { status: 'pending', pacingDefer: true })
  assert.deepEqual([task.pacingDefer, task.pacingDeferCount, task.stage, task.nextRetryAt], [true, 1, 'ready', at(gateway)])
})

test('a plain move to pending is no defer', async () => {
  await using gateway = await start()
  const task = await update(gateway, await working(gateway), { status: 'pending', pacingDefer: false })
  assert.deepEqual([task.pacingDeferCount, task.nextRetryAt], [undefined, undefined])
})

test('deferSeconds is clamped to 0..21600', async () => {
  await using gateway = await start()
  for (const [deferSeconds, seconds] of [
    [-5, 0],
    [0, 0],
    [0.5, 0.5],
    [21_600, 21_600],
    [21_601, 21_600],
    [1e12, 21_600],
  ] as const) {
    const task = await update(gateway, await working(gateway), { status: 'pending', deferSeconds })
    assert.equal(task.nextRetryAt, at(gateway, seconds))
  }
})

test('deferSeconds and pacingDefer go only with status pending', async () => {
  await using gateway = await start()
  const task = await working(gateway)
  await assert.rejects(update(gateway, task, { deferSeconds: 5 }), refusal('BAD_REQUEST', 'deferSeconds'))
  await assert.rejects(update(gateway, task, { status: 'done', deferSeconds: 5 }), refusal('BAD_REQUEST', 'deferSeconds'))
  await assert.rejects(update(gateway, task, { status: 'review', pacingDefer: true }), refusal('BAD_REQUEST', 'pacingDefer'))
  assert.equal((await get(gateway, task)).status, 'working')
})

test('route-exhausted defers in a row raise a starvation alert at the threshold and at its multiples', async () => {
  await using gateway = await start({ config: { tasks: { starvationThreshold: 2 } } })
  const task = await create(gateway, { title: 'Lost' })
  const raised = () => alerts(gateway, 'tasks.starvation').length
  const exhaust = () => update(gateway, task, { status: 'pending', routeExhausted: true })
  assert.deepEqual([(await exhaust()).routeExhaustedCount, raised()], [1, 0])
  assert.deepEqual([(await exhaust()).routeExhaustedCount, raised()], [2, 1])
  assert.match(String(alerts(gateway, 'tasks.starvation')[0]?.message), new RegExp(`2 times.*${task.taskId}.*Lost`))
  assert.deepEqual([(await exhaust()).routeExhaustedCount, raised()], [3, 1])
  assert.deepEqual([(await exhaust()).routeExhaustedCount, raised()], [4, 2])
})

test('routeExhausted false or omitted on the way to pending resets the counter; other updates leave it', async () => {
  await using gateway = await start()
  const task = await create(gateway)
  for (const reset of [{ routeExhausted: false }, {}]) {
    assert.equal((await update(gateway, task, { status: 'pending', routeExhausted: true })).routeExhaustedCount, 1)
    assert.equal((await update(gateway, task, { status: 'working' })).routeExhaustedCount, 1)
    assert.equal((await update(gateway, task, { routeExhausted: true })).routeExhaustedCount, 1)
    const { routeExhaustedCount, routeExhausted } = await update(gateway, task, { status: 'pending', ...reset })
    assert.deepEqual([routeExhaustedCount, routeExhausted], [undefined, false])
  }
})

test('a review that is said again is no further dispatch', async () => {
  await using gateway = await start({ config: { tasks: { noopThreshold: 1 } } })
  const { claimId, ...task } = await working(gateway)
  const review = async (args: object) => (await update(gateway, task, { status: 'review', claimId, ...args })).noopDispatchCount
  assert.deepEqual([await review({ noopDispatch: true }), await review({ noopDispatch: true })], [1, 1])
  const { length } = gateway.logs
  assert.equal(await review({ prUrl: 'https://example.org/pr/1' }), 1)
  assert.ok(gateway.logs.slice(length).every(({ noopDispatchCount }) => noopDispatchCount === undefined))
})

test('the starvation alert counts defers over all tasks, and any other defer begins anew', async () => {
  await using gateway = await start({ config: { tasks: { starvationThreshold: 3 } } })
  const [one, two] = [await create(gateway), await create(gateway)]
  const raised = () => alerts(gateway, 'tasks.starvation').length
  const defer = (task: Task, routeExhausted: boolean) => update(gateway, task, { status: 'pending', routeExhausted })
  await defer(one, true)
  await defer(two, true)
  await defer(two, false)
  await defer(one, true)
  await defer(two, true)
  assert.equal(raised(), 0, 'two in a row, after a defer of another kind')
  assert.equal((await defer(two, true)).routeExhaustedCount, 2)
  assert.equal(raised(), 1)
})

test('the no-op warning counts flips to review over all tasks, and any other flip begins anew', async () => {
  await using gateway = await start({ config: { tasks: { noopThreshold: 2 } } })
  const flip = async (noopDispatch: boolean) => {
    const task = await create(gateway)
    await update(gateway, task, { status: 'working' })
    await update(gateway, task, { status: 'review', noopDispatch })
  }
  const warned = () => gateway.logs.filter(({ consecutive }) => consecutive !== undefined).map(({ consecutive }) => consecutive)
  await flip(true)
  await flip(false)
  await flip(true)
  assert.deepEqual(warned(), [])
  assert.deepEqual(alerts(gateway, 'tasks.no-op'), [])
  await flip(true)
  await flip(true)
  assert.deepEqual(warned(), [2, 3])
  assert.equal(alerts(gateway, 'tasks.no-op').length, 1, 'at the threshold, and not above it until twice as many')
  await flip(true)
  assert.equal(alerts(gateway, 'tasks.no-op').length, 2)
})

test('no-op dispatches in a row are counted on the flip to review and logged from the threshold on', async () => {
  await using gateway = await start({ config: { tasks: { noopThreshold: 2 } } })
  const task = await create(gateway)
  const warnings = () => gateway.logs.filter(({ noopDispatchCount }) => noopDispatchCount !== undefined)
  const review = async (args: object) => {
    await update(gateway, task, { status: 'working' })
    return (await update(gateway, task, { status: 'review', ...args })).noopDispatchCount
  }
  assert.deepEqual([await review({ noopDispatch: true }), warnings().length], [1, 0])
  assert.deepEqual([await review({ noopDispatch: true }), warnings().length], [2, 1])
  assert.deepEqual([warnings()[0]?.level, warnings()[0]?.taskId, warnings()[0]?.repo], [40, task.taskId, 'web'])
  assert.deepEqual([await review({}), warnings().length], [undefined, 1])
  assert.equal((await update(gateway, task, { noopDispatch: true })).noopDispatchCount, undefined)
})

test('outputTokens takes no number that would make the total another one', async () => {
  await using gateway = await start()
  const task = await create(gateway)
  for (const outputTokens of [-1, 1.5, 1_000_000_001, Number.MAX_VALUE]) {
    await assert.rejects(update(gateway, task, { outputTokens }), refusal('BAD_REQUEST', 'outputTokens'))
  }
  for (let i = 0; i < 3; i++) await update(gateway, task, { outputTokens: 1_000_000_000 })
  assert.equal((await get(gateway, task)).outputTokens, 3_000_000_000)
})

test('outputTokens is added to the running total', async () => {
  await using gateway = await start()
  const task = await create(gateway)
  await update(gateway, task, { outputTokens: 100 })
  assert.equal((await update(gateway, task, { outputTokens: 25, notes: 'more' })).outputTokens, 125)
  assert.equal((await update(gateway, task, { notes: 'none' })).outputTokens, 125)
})

test('what another plugin keeps in step is told of the change and its tokens, in the same write', async () => {
  const seen: unknown[] = []
  const participant = definePlugin({
    id: 'test-spend',
    sdk: '^1.0.0',
    description: 'Takes part in changes.',
    contributes: [
      contribute(taskChange, {
        create: () => ({
          async apply({ before, after, outputTokensDelta }, tx) {
            assert.ok(tx.now instanceof Date)
            seen.push([before.status, after.status, outputTokensDelta])
            if (after.notes === 'refuse') throw new Error('no')
          },
        }),
      }),
    ],
  })
  await using gateway = await start({ plugins: [participant] })
  const task = await create(gateway)
  await claim(gateway)
  await update(gateway, task, { status: 'review', outputTokens: 7 })
  await assert.rejects(update(gateway, task, { status: 'done', outputTokens: 9, notes: 'refuse' }), refusal('INTERNAL_ERROR'))
  assert.deepEqual(seen, [
    ['working', 'review', 7],
    ['review', 'done', 9],
  ])
  const { status, outputTokens, notes } = await get(gateway, task)
  assert.deepEqual([status, outputTokens, notes], ['review', 7, undefined])
})

test('what a participant does to the task itself stands in the answer', async () => {
  const pausing = contribute(taskChange, {
    uses: { tasks: collection },
    create: ({ tasks }) => ({
      async apply({ after }, tx) {
        if (after.outputTokens >= 10) await tasks.in(tx).updateOne(after.taskId, { set: { status: 'paused', stage: 'paused' } })
      },
    }),
  })
  await using gateway = await startTestGateway({ plugins: [trash, { ...tasks, contributes: [...tasks.contributes, pausing] }] })
  const task = await working(gateway)
  assert.equal((await update(gateway, task, { outputTokens: 9 })).status, 'working')
  const paused = await update(gateway, task, { outputTokens: 1 })
  assert.deepEqual([paused.status, await get(gateway, task)], ['paused', paused])
})

test('PATCH /api/tasks/:taskId is the same tool', async () => {
  await using gateway = await start()
  const { taskId } = await create(gateway)
  const response = await gateway.inject({ method: 'PATCH', url: `/api/tasks/${taskId}`, body: { status: 'done' } })
  assert.deepEqual([response.status, response.json().task.status], [200, 'done'])
  assert.equal((await gateway.inject({ method: 'PATCH', url: '/api/tasks/task-x', body: {} })).status, 404)
})

test('leaseSeconds with the current claimId moves the end of the lease, later or earlier', async () => {
  await using gateway = await start()
  const task = await working(gateway)
  gateway.clock.advance(100)
  for (const leaseSeconds of [3 * HOUR, 5]) {
    const { leaseUntil, claimId, status } = await update(gateway, task, { leaseSeconds, claimId: task.claimId })
    assert.deepEqual([leaseUntil, claimId, status], [at(gateway, leaseSeconds), task.claimId, 'working'])
  }
  gateway.clock.advance(6)
  assert.deepEqual((await gateway.call('task_lease_reap')).taskIds, [task.taskId])
})

test('a lease is extended by its holder alone, while the task is working', async () => {
  await using gateway = await start()
  const task = await working(gateway)
  const before = await get(gateway, task)
  await assert.rejects(update(gateway, task, { leaseSeconds: 60 }), refusal('CONFLICT', 'claimId'))
  await assert.rejects(update(gateway, task, { leaseSeconds: 60, claimId: 'claim-old' }), refusal('CONFLICT', 'claimId'))
  await assert.rejects(
    update(gateway, task, { leaseSeconds: 60, claimId: task.claimId, status: 'done' }),
    refusal('BAD_REQUEST', 'leaseSeconds'),
  )
  for (const leaseSeconds of [0, 1.5, 7 * 24 * HOUR + 1]) {
    await assert.rejects(update(gateway, task, { leaseSeconds, claimId: task.claimId }), refusal('BAD_REQUEST', 'leaseSeconds'))
  }
  assert.deepEqual(await get(gateway, task), before)
  await update(gateway, task, { status: 'review', claimId: task.claimId })
  await assert.rejects(update(gateway, task, { leaseSeconds: 60, claimId: task.claimId }), refusal('CONFLICT', 'leaseSeconds'))
  const moved = await update(gateway, await create(gateway), { status: 'working' })
  await assert.rejects(update(gateway, moved, { leaseSeconds: 60 }), refusal('CONFLICT', 'claimId'))
})
