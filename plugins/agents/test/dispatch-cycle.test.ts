import assert from 'node:assert/strict'
import { test } from 'node:test'
import budgets from '@gateway/plugin-budgets'
import dashboard from '@gateway/plugin-dashboard'
import dispatch from '@gateway/plugin-dispatch'
import { dispatchBudget } from '@gateway/plugin-dispatch/api'
import entitlements from '@gateway/plugin-entitlements'
import fleet from '@gateway/plugin-fleet'
import jobHistory from '@gateway/plugin-job-history'
import mailbox from '@gateway/plugin-mailbox'
import schedules from '@gateway/plugin-schedules'
import sessions from '@gateway/plugin-sessions'
import swarms from '@gateway/plugin-swarms'
import tasks from '@gateway/plugin-tasks'
import traces from '@gateway/plugin-traces'
import trash from '@gateway/plugin-trash'
import { contribute, definePlugin } from '@gateway/sdk'
import { refusal, type TestGateway } from '@gateway/testing'
import { scriptedModel } from './scripted-model.ts'
import { start } from './support.ts'

const queue = [trash, tasks, mailbox, swarms, dispatch]

const create = async (gateway: TestGateway, args: object = {}): Promise<string> =>
  (await gateway.call('tasks_create', { repo: 'web', title: 'Look into it', assignedAgent: 'researcher', ...args })).task.taskId
const read = async (gateway: TestGateway, id: string) => (await gateway.call('tasks.get', { taskId: id })).task
const cycle = (gateway: TestGateway, args: object = {}) => gateway.call('dispatch_cycle', args)

test('a cycle does the tasks of agents that run here with their tools and completes them; the others wait for runners', async () => {
  await using model = await scriptedModel('openai', [
    { calls: [['memory_search', { query: 'cache' }]] },
    { calls: [['tasks_list', {}]] },
    { text: 'It was the cache.\nHigh.' },
  ])
  await using gateway = await start({ config: model.config, plugins: [...queue, traces, jobHistory, sessions] })
  const mine = await create(gateway, { description: 'Name the slow part.', priority: 'P0', notes: 'Asked by Ann.' })
  const theirs = await create(gateway, { assignedAgent: 'backend-engineer', title: 'Fix it' })
  await create(gateway, { assignedAgent: undefined, repo: 'api', title: 'Anyone' })
  const { dispatched, waitingForRunner } = await cycle(gateway, { maxTasks: 2 })
  assert.deepEqual(
    dispatched.map(({ messageId, ...rest }: { messageId?: string }) => ({ ...rest, mailed: messageId !== undefined })),
    [
      { taskId: mine, title: 'Look into it', to: 'researcher', outcome: 'done', mailed: false },
      { taskId: theirs, title: 'Fix it', to: 'backend-engineer', mailed: true },
    ],
  )
  assert.equal(waitingForRunner, 2)
  assert.match(model.asked[0]?.system ?? '', /^You answer questions[\s\S]*in the repo "web"\./)
  assert.equal(model.asked[0]?.body.messages[1].content, 'Look into it\n\nName the slow part.')
  const done = await read(gateway, mine)
  assert.deepEqual([done.status, done.notes, done.outputTokens], ['done', 'Asked by Ann.\n\nIt was the cache.\nHigh.', 15])
  assert.deepEqual(
    [done.routedModel, done.executionProvider, done.workType, done.workTypeTier, done.workTypeFailoverHop],
    ['middle', 'local', 'research', 'standard', 0],
  )
  assert.equal((await read(gateway, theirs)).status, 'pending')
  const { spans } = await gateway.call('traces_list', { taskId: mine })
  assert.equal(spans.filter(({ name }: { name: string }) => name === 'agent researcher').length, 3)
  const { jobs } = await gateway.call('job_history_search', { q: 'cache' })
  assert.deepEqual(
    jobs.map(({ taskId, status, resultLine, model, machine }: Record<string, unknown>) => [taskId, status, resultLine, model, machine]),
    [[mine, 'done', 'It was the cache.', 'middle', 'gateway']],
  )
  const recalled = await gateway.call('session_recall', { agentName: 'researcher' })
  assert.equal(recalled.sessions[0].metadata.taskId, mine)
  assert.match(recalled.digest, /It was the cache\./)
  assert.deepEqual((await cycle(gateway)).waitingForRunner, 2)
  assert.equal(model.asked.length, 3)
})

test('tasks of agents that run here are done by themselves once a provider is configured; without one, the reason is told', async () => {
  await using model = await scriptedModel('openai', [{ text: 'Yes.' }])
  await using gateway = await start({ config: model.config, plugins: queue })
  const mine = await create(gateway)
  const theirs = await create(gateway, { assignedAgent: 'backend-engineer' })
  gateway.clock.advance(10)
  await gateway.runJob('dispatch.here')
  assert.deepEqual([(await read(gateway, mine)).status, (await read(gateway, theirs)).status], ['done', 'pending'])
  await using bare = await start({ plugins: [...queue, dashboard] })
  const waits = await create(bare)
  bare.clock.advance(10)
  await bare.runJob('dispatch.here')
  assert.equal((await read(bare, waits)).status, 'pending')
  bare.clock.advance(3_600)
  const { items } = (await bare.inject({ method: 'GET', url: '/api/attention' })).json()
  assert.match(items[0].text, /no provider of models is configured\. Configure one under plugins\.providers/)
})

test('a recommended model is an absolute pin: it is asked, or the task waits for a runner; a preference is a wish', async () => {
  await using model = await scriptedModel('openai', [{ text: 'Yes.' }])
  await using gateway = await start({ config: model.config, plugins: queue })
  const pinned = await create(gateway, { recommendedModel: 'huge', priority: 'P0' })
  const elsewhere = await create(gateway, { recommendedModel: 'm-other', priority: 'P1' })
  const wish = await create(gateway, { recommendedModel: 'm-other', recommendedModelPreference: true })
  const { dispatched } = await cycle(gateway)
  const outcomes = dispatched.map(({ taskId, outcome }: Record<string, unknown>) => [taskId, outcome])
  assert.deepEqual(outcomes, [
    [pinned, 'done'],
    [elsewhere, undefined],
    [wish, 'done'],
  ])
  assert.deepEqual(
    model.asked.map((one) => one.model),
    ['huge', 'middle'],
  )
  assert.equal((await read(gateway, pinned)).routedModel, 'huge')
  assert.equal((await read(gateway, elsewhere)).status, 'pending')
})

test('what the agents of a cycle spend counts for the next of them, and between the turns of one', async () => {
  await using model = await scriptedModel('openai', (_asked, at) => (at === 1 ? { calls: [['memory_store', {}]] } : { text: 'Yes.' }))
  const budget = definePlugin({
    id: 'a-budget',
    sdk: '^1.0.0',
    description: 'A dollar for each answer.',
    contributes: [contribute(dispatchBudget, { create: () => ({ check: async () => ({ spentTodayUsd: model.asked.length }) }) })],
  })
  await using gateway = await start({ config: model.config, plugins: [...queue, budget] })
  for (let n = 0; n < 4; n++) await create(gateway)
  const { dispatched, reason } = await cycle(gateway, { maxTasks: 4, dailySpendCapUsd: 2 })
  const outcomes = dispatched.map(({ outcome }: Record<string, unknown>) => outcome)
  assert.deepEqual([outcomes, model.asked.length, typeof reason], [['done', 'deferred'], 2, 'string'])
  const deferred = await read(gateway, dispatched[1].taskId)
  assert.deepEqual([deferred.status, deferred.stage, deferred.retryCount, deferred.pacingDefer], ['pending', 'delayed', undefined, true])
})

test('a budget that is used up defers a task without using up a retry, and says which cap', async () => {
  const prices = { middle: { inputPerMTok: 1_000, outputPerMTok: 0 } }
  await using model = await scriptedModel('openai', [{ calls: [['memory_search', {}]], text: 'So far.' }], { prices })
  const config = { ...model.config, budgets: { monthlyCapUsd: 0.01, downgradeAt: 1 } }
  await using gateway = await start({ config, plugins: [...queue, budgets] })
  const id = await create(gateway)
  const { dispatched } = await cycle(gateway)
  assert.equal(dispatched[0].outcome, 'deferred')
  assert.match(dispatched[0].error, /budgets\.monthlyCapUsd/)
  const { status, retryCount, notes, outputTokens } = await read(gateway, id)
  assert.deepEqual([status, retryCount, notes, outputTokens], ['pending', undefined, 'So far.', 5])
})

test('a task that its agent could not do, or not within its turns, has failed by the rules of tasks, and says why', async () => {
  await using model = await scriptedModel('openai', (_asked, at) => (at === 0 ? { status: 400 } : { calls: [['memory_search', {}]] }))
  const config = { ...model.config, agents: { maxTurns: 2 } }
  await using gateway = await start({ config, plugins: [...queue, jobHistory, sessions] })
  const refused = await create(gateway, { priority: 'P0' })
  const endless = await create(gateway)
  const { dispatched } = await cycle(gateway)
  assert.deepEqual(
    dispatched.map(({ taskId, outcome }: Record<string, unknown>) => [taskId, outcome]),
    [
      [refused, 'failed'],
      [endless, 'failed'],
    ],
  )
  for (const [at, id] of [refused, endless].entries()) {
    const { status, retryCount, lastError } = await read(gateway, id)
    assert.deepEqual([status, retryCount, lastError], ['pending', 1, dispatched[at].error])
  }
  assert.match(dispatched[1].error, /2 model calls, the limit agents\.maxTurns/)
  const { jobs } = await gateway.call('job_history_search', { q: 'maxTurns' })
  assert.deepEqual([jobs.length, jobs[0].status], [1, 'failed'])
  const { sessions: recalled } = await gateway.call('session_recall', { agentName: 'researcher' })
  assert.deepEqual(recalled.map(({ messages }: { messages: { state: string }[] }) => messages[0]?.state).sort(), ['answered', 'failed'])
})

test('an answer that is cut off is for a person to judge', async () => {
  await using model = await scriptedModel('openai', [{ text: 'Half', stop: 'length' }])
  await using gateway = await start({ config: model.config, plugins: queue })
  const id = await create(gateway)
  assert.equal((await cycle(gateway)).dispatched[0].outcome, 'review')
  const { status, notes } = await read(gateway, id)
  assert.deepEqual([status, notes], ['review', 'Half'])
})

test('a decision that a person makes during the run stands, and notes that are added meanwhile stay above the result', async () => {
  let meanwhile = async (): Promise<unknown> => undefined
  await using model = await scriptedModel('openai', async () => {
    await meanwhile()
    return { text: 'It was the cache.' }
  })
  await using gateway = await start({ config: model.config, plugins: queue })
  const taskId = await create(gateway, { notes: 'Asked by Ann.' })
  meanwhile = () => gateway.call('tasks_update', { taskId, notes: 'Asked by Ann.\nOnly for the API.' })
  assert.equal((await cycle(gateway)).dispatched[0].outcome, 'done')
  assert.equal((await read(gateway, taskId)).notes, 'Asked by Ann.\nOnly for the API.\n\nIt was the cache.')
  const stopped = await create(gateway)
  meanwhile = () => gateway.call('tasks_update', { taskId: stopped, status: 'blocked', notes: 'Not now.', operatorAuthorized: true })
  const [{ outcome, error }] = (await cycle(gateway)).dispatched
  assert.deepEqual([outcome, /no longer valid: it is blocked/.test(error)], ['failed', true])
  const { status, notes } = await read(gateway, stopped)
  assert.deepEqual([status, notes], ['blocked', 'Not now.'])
})

test('without a provider the tasks of agents are offered by mail and wait for runners', async () => {
  await using gateway = await start({ plugins: queue })
  const id = await create(gateway)
  const { dispatched, waitingForRunner } = await cycle(gateway)
  const [{ messageId, outcome }] = dispatched
  assert.deepEqual([typeof messageId, outcome, waitingForRunner, (await read(gateway, id)).status], ['string', undefined, 1, 'pending'])
})

test('the model calls of a cycle are counted for their task', async () => {
  await using model = await scriptedModel('openai', [{ text: 'Yes.' }])
  await using gateway = await start({ config: model.config, plugins: [...queue, budgets] })
  const taskId = await create(gateway)
  await cycle(gateway)
  const { byTask } = await gateway.call('budgets_breakdown')
  assert.deepEqual(
    byTask.map(({ task, calls }: Record<string, unknown>) => [task, calls]),
    [[taskId, 1]],
  )
})

test('a cycle that a schedule starts outside of working hours takes of the plan’s minutes; without any its tasks wait, with what to do in their notes', async () => {
  await using model = await scriptedModel('openai', [{ text: 'Done.' }])
  await using gateway = await start({ config: model.config, plugins: [...queue, fleet, schedules, entitlements] })
  // A Thursday in Sydney, before seven.
  const early = '2026-03-11T20:00:00Z'
  const run = async (plan: 'free' | 'solo') => {
    const { tenantId } = await gateway.tenants.create({ name: plan, plan })
    const owner = { as: { tenantId, id: 'ann', kind: 'user', role: 'owner' } } as const
    gateway.clock.set(new Date(Date.parse(early) - 60_000))
    const { task } = await gateway.call('tasks_create', { repo: 'web', title: 'Look into it', assignedAgent: 'researcher' }, owner)
    await gateway.call('schedules_create', { name: 'by night', cronExpr: '0 * * * *', kind: 'tool', target: 'dispatch_cycle' }, owner)
    gateway.clock.set(early)
    await gateway.runJob('schedules.tick')
    const { status, retryCount, notes } = (await gateway.call('tasks.get', { taskId: task.taskId }, owner)).task
    const { used } = (await gateway.call('entitlements_status', {}, owner)).limits.offHoursMinutes
    return { status, retryCount, notes, used }
  }
  assert.deepEqual(await run('solo'), { status: 'done', retryCount: undefined, notes: 'Done.', used: 1 })
  const { notes, ...free } = await run('free')
  assert.deepEqual(free, { status: 'pending', retryCount: undefined, used: 0 })
  assert.match(notes, /free has 0 offHoursMinutes.* Let the work run from 9:00 to 18:00 of a weekday in Sydney, or change the plan\./)
  assert.equal(model.asked.length, 1)
})

test('while the only provider is in maintenance, or has no model, a cycle leaves the tasks of its agents alone and offers the others', async () => {
  await using model = await scriptedModel('openai', [{ text: 'Yes.' }])
  await using gateway = await start({ config: model.config, plugins: queue })
  const mine = await create(gateway)
  const other = await create(gateway, { assignedAgent: 'backend-engineer' })
  await gateway.call('provider_maintenance_enter', { provider: 'local' })
  const ids = ({ dispatched }: { dispatched: { taskId: string }[] }) => dispatched.map(({ taskId }) => taskId)
  assert.deepEqual(ids(await cycle(gateway)), [other])
  const left = await read(gateway, mine)
  assert.deepEqual([left.status, left.retryCount, left.notes], ['pending', undefined, undefined])
  await gateway.call('provider_maintenance_exit', { provider: 'local' })
  assert.deepEqual(ids(await cycle(gateway)), [mine])

  const { models: _models, ...settings } = model.config.providers.providers.local
  await using bare = await start({ config: { providers: { providers: { local: settings } } }, plugins: queue })
  const brief = await create(bare)
  const code = await create(bare, { assignedAgent: 'backend-engineer' })
  const answer = await cycle(bare)
  assert.deepEqual([ids(answer), answer.waitingForRunner], [[brief, code], 2])
  await assert.rejects(
    bare.call('agents_invoke', { agent: 'researcher', message: 'Look.' }),
    refusal('UNAVAILABLE', 'plugins.providers.providers.local.models'),
  )
})
