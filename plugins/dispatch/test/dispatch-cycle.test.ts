import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { claimGate } from '@gateway/plugin-tasks/api'
import { contribute, definePlugin, on, Unavailable } from '@gateway/sdk'
import { refusal } from '@gateway/testing'
import { type BudgetState, dispatchBudget, dispatchCycled } from '../src/api.ts'
import { agentHere, stamps } from './here.ts'
import { create, get, mail, start, type TestGateway } from './support.ts'

const cycle = (gateway: TestGateway, args: object = {}) => gateway.call('dispatch_cycle', args)
const titles = ({ dispatched }: { dispatched: { title: string }[] }): string[] => dispatched.map(({ title }) => title)

const budget = (state: BudgetState, id = 'test-budget') =>
  definePlugin({
    id,
    sdk: '^1.0.0',
    description: 'Keeps a budget.',
    contributes: [contribute(dispatchBudget, { create: () => ({ check: async () => state }) })],
  })

test('the first tasks of the queue are offered by durable mail to their agents, else to their repos', async () => {
  await using gateway = await start()
  await create(gateway, { title: 'later', priority: 'P3' })
  const mine = await create(gateway, { title: 'mine', assignedAgent: 'Keeper', priority: 'P0' })
  await create(gateway, { title: 'ours', priority: 'P1' })
  await create(gateway, { title: 'odd', assignedAgent: 'No 5', priority: 'P2' })
  const answer = await cycle(gateway)
  assert.deepEqual(titles(answer), ['mine', 'ours', 'odd'])
  assert.deepEqual(
    answer.dispatched.map(({ to }: { to: string }) => to),
    ['keeper', 'web', 'web'],
  )
  await gateway.restart()
  const [message] = await mail(gateway, 'keeper')
  assert.deepEqual([message?.kind, message?.subject, message?.messageId], ['dispatch', 'mine', answer.dispatched[0].messageId])
  assert.ok(message?.body.includes(`tasks_claim {"taskId": "${mine.taskId}"}`))
  assert.equal((await gateway.call('tasks_claim', { claimedBy: 'keeper', taskId: mine.taskId })).claimed, true)
})

test('three tasks without maxTasks, and never more than fifty', async () => {
  await using gateway = await start()
  for (let i = 0; i < 60; i++) await create(gateway, { title: `${i}` })
  assert.equal((await cycle(gateway)).dispatched.length, 3)
  assert.equal((await cycle(gateway, { maxTasks: 1 })).dispatched.length, 1)
  assert.equal((await cycle(gateway, { maxTasks: 1_000 })).dispatched.length, 50)
  await assert.rejects(cycle(gateway, { maxTasks: 0 }), refusal('BAD_REQUEST', 'maxTasks'))
})

test('a task is offered once, and again when nobody has taken it for a while', async () => {
  await using gateway = await start({ config: { dispatch: { reofferMinutes: 30 } } })
  await create(gateway, { title: 'a' })
  assert.deepEqual(titles(await cycle(gateway)), ['a'])
  gateway.clock.advance(30 * 60 - 1)
  assert.deepEqual(titles(await cycle(gateway)), [])
  gateway.clock.advance(1)
  assert.deepEqual(titles(await cycle(gateway)), ['a'])
  gateway.clock.advance(30 * 60)
  await gateway.call('tasks_claim', { claimedBy: 'ada' })
  assert.deepEqual(titles(await cycle(gateway)), [])
})

test('what was never offered comes before what nobody took, however many tasks an agent that is gone leaves', async () => {
  await using gateway = await start({ config: { dispatch: { reofferMinutes: 30 } } })
  const stale = Array.from({ length: 205 }, (_, i) => ({ title: `stale ${i}`, repo: 'web', assignedAgent: 'gone', priority: 'P0' }))
  for (const task of stale) await create(gateway, task)
  for (let i = 0; i < 5; i++) await cycle(gateway, { maxTasks: 50 })
  for (const title of ['first', 'second']) await create(gateway, { title, priority: 'P3' })
  gateway.clock.advance(30 * 60)
  assert.deepEqual(titles(await cycle(gateway)), ['first', 'second', 'stale 0'])
  assert.deepEqual(titles(await cycle(gateway, { maxTasks: 2 })), ['stale 1', 'stale 2'])
})

test('cycles side by side offer each task once', async () => {
  await using gateway = await start()
  for (let i = 0; i < 10; i++) await create(gateway, { title: `${i}` })
  const cycles = await Promise.all(Array.from({ length: 8 }, () => cycle(gateway, { maxTasks: 10 })))
  assert.equal(cycles.flatMap(titles).length, 10)
  assert.equal((await mail(gateway, 'web')).length, 10)
})

test('what waits or is delayed is not offered', async () => {
  await using gateway = await start()
  const { taskId } = await create(gateway, { title: 'upstream' })
  await create(gateway, { title: 'waiting', dependsOn: [taskId] })
  const delayed = await create(gateway, { title: 'delayed' })
  await gateway.call('tasks_update', { taskId: delayed.taskId, status: 'pending', deferSeconds: 60 })
  assert.deepEqual(titles(await cycle(gateway)), ['upstream'])
  gateway.clock.advance(61)
  assert.deepEqual(titles(await cycle(gateway)), ['delayed'])
})

test('nothing is offered once a budget is exhausted, or today’s spend has met the cap', async () => {
  await using gateway = await start({ plugins: [budget({ spentTodayUsd: 3 }), budget({ spentTodayUsd: 2 }, 'test-other')] })
  await create(gateway, { title: 'a' })
  const capped = await cycle(gateway, { dailySpendCapUsd: 5 })
  assert.deepEqual(titles(capped), [])
  assert.match(capped.reason, /5 USD has met the cap/)
  assert.deepEqual(titles(await cycle(gateway, { dailySpendCapUsd: 6 })), ['a'])
  await using empty = await start({ plugins: [budget({ spentTodayUsd: 0, exhausted: 'The month’s budget is used up.' })] })
  await create(empty)
  assert.deepEqual(await cycle(empty), { dispatched: [], waitingForRunner: 1, reason: 'The month’s budget is used up.' })
  await assert.rejects(cycle(empty, { dailySpendCapUsd: -1 }), refusal('BAD_REQUEST', 'dailySpendCapUsd'))
})

test('a cap that nobody can keep is refused with what is missing', async () => {
  await using gateway = await start()
  await create(gateway)
  await assert.rejects(cycle(gateway, { dailySpendCapUsd: 5 }), refusal('SWITCHED_OFF', 'plugins.budgets'))
  assert.deepEqual(await mail(gateway, 'web'), [])
})

test('while claims are closed nothing is offered', async () => {
  const closed = definePlugin({
    id: 'test-maintenance',
    sdk: '^1.0.0',
    description: 'Closes the queue.',
    contributes: [contribute(claimGate, { create: () => ({ check: async () => ({ open: false, reason: 'Maintenance.' }) }) })],
  })
  await using gateway = await start({ plugins: [closed] })
  await create(gateway)
  assert.deepEqual(await cycle(gateway), { dispatched: [], waitingForRunner: 1, reason: 'Maintenance.' })
})

test('the round is told to whoever delivers to chats: to chatId, or to the default', async () => {
  const ears = new EventEmitter()
  const chats = definePlugin({
    id: 'test-chats',
    sdk: '^1.0.0',
    description: 'Hears of cycles.',
    on: [on(dispatchCycled, { handle: async (told) => void ears.emit('heard', told) })],
  })
  await using gateway = await start({ plugins: [chats], env: { DEFAULT_CHAT_ID: 'chat-1' } })
  const { taskId } = await create(gateway, { title: 'a' })
  for (const [args, chatId, dispatched] of [
    [{}, 'chat-1', [{ taskId, title: 'a', to: 'web' }]],
    [{ chatId: 'chat-2' }, 'chat-2', []],
  ] as const) {
    const heard = once(ears, 'heard')
    await cycle(gateway, args)
    assert.deepEqual(await heard, [{ chatId, dispatched }])
  }
})

test('tasks of repos that are ignored by schedules are not offered', async () => {
  await using gateway = await start({ env: { SCHEDULE_IGNORE_REPOS: 'quiet' } })
  await create(gateway, { title: 'left alone', repo: 'quiet', priority: 'P0' })
  await create(gateway, { title: 'offered' })
  assert.deepEqual(titles(await cycle(gateway)), ['offered'])
})

test('a task of an agent that runs here, which cannot be planned, is offered like others and stops no other', async () => {
  const refusing = agentHere({
    plan: async ({ assignedAgent }) => (assignedAgent === 'summarizer' ? Promise.reject(new Error('no route')) : undefined),
  })
  await using gateway = await start({ plugins: [refusing] })
  await create(gateway, { title: 'brief', assignedAgent: 'summarizer', priority: 'P0' })
  await create(gateway, { title: 'code', assignedAgent: 'engineer' })
  const { dispatched } = await cycle(gateway)
  assert.deepEqual(
    dispatched.map(({ title, to }: Record<string, string>) => [title, to]),
    [
      ['brief', 'summarizer'],
      ['code', 'engineer'],
    ],
  )
})

test('while no model takes calls, the tasks of agents that run here stay in the queue, and hold up no other', async () => {
  let isOpen = false
  const plan = async ({ assignedAgent }: { assignedAgent?: string }) => {
    if (assignedAgent !== 'summarizer') return undefined
    return isOpen ? stamps : ('later' as const)
  }
  await using gateway = await start({ plugins: [agentHere({ plan })] })
  const { taskId } = await create(gateway, { title: 'brief', assignedAgent: 'summarizer', priority: 'P0' })
  for (let i = 0; i < 201; i++) await create(gateway, { title: `brief ${i}`, assignedAgent: 'summarizer', priority: 'P1' })
  await create(gateway, { title: 'code', assignedAgent: 'engineer' })
  assert.deepEqual(titles(await cycle(gateway, { maxTasks: 1 })), ['code'])
  assert.equal((await get(gateway, taskId)).claimId, undefined)
  const idle = await cycle(gateway, { maxTasks: 1 })
  assert.deepEqual(idle.dispatched, [])
  assert.match(idle.reason, /^202 tasks wait for a model: /)
  isOpen = true
  assert.deepEqual(titles(await cycle(gateway, { maxTasks: 1 })), ['brief'])
})

test('a task is deferred without a failed try when its provider goes into maintenance during the run', async () => {
  let isOpen = true
  const closing = agentHere({
    plan: async () => (isOpen ? stamps : 'later'),
    async run() {
      isOpen = false
      throw Unavailable({ message: 'No model answered. local: it is in maintenance.' })
    },
  })
  await using gateway = await start({ plugins: [closing] })
  const { taskId } = await create(gateway, { assignedAgent: 'summarizer' })
  assert.equal((await cycle(gateway)).dispatched[0].outcome, 'deferred')
  const { status, stage, retryCount, notes } = await get(gateway, taskId)
  assert.deepEqual([status, stage, retryCount], ['pending', 'delayed', undefined])
  assert.match(String(notes), /in maintenance/)
})
