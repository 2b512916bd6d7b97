import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { messageReceived } from '@gateway/plugin-mailbox/api'
import { taskChange } from '@gateway/plugin-tasks/api'
import { contribute, definePlugin, on } from '@gateway/sdk'
import { refusal } from '@gateway/testing'
import swarms from '../src/index.ts'
import { active, approve, claim, get, mail, plan, setBudget, start, statuses, stop, update } from './support.ts'

const three = [{ title: 'a' }, { title: 'b' }, { title: 'c' }]

test('a budget is set, floored to an integer, with who has set it', async () => {
  await using gateway = await start()
  const { swarm } = await plan(gateway)
  assert.equal(swarm.tokenBudget, undefined)
  const answer = await setBudget(gateway, swarm, 100.9, { by: 'grace' })
  assert.deepEqual([answer.swarm.tokenBudget, answer.swarm.budgetSetBy, answer.children.length], [100, 'grace', 2])
  assert.deepEqual((await get(gateway, swarm)).swarm, answer.swarm)
  assert.equal((await setBudget(gateway, swarm, 7)).swarm.budgetSetBy, 'operator')
  const as = { kind: 'api-key', id: 'key:k5', role: 'member', label: 'm2/agent-5' } as const
  const { swarm: set } = await gateway.call('swarm_update_budget', { swarmId: swarm.swarmId, tokenBudget: 8 }, { as })
  assert.deepEqual([set.budgetSetBy, set.budgetSetByPrincipal], ['m2/agent-5', 'key m2/agent-5'])
})

test('one that is not positive, or of an unknown swarm, is refused', async () => {
  await using gateway = await start()
  const { swarm } = await plan(gateway)
  for (const wrong of [0, -1, 0.5]) await assert.rejects(setBudget(gateway, swarm, wrong), refusal('BAD_REQUEST', 'tokenBudget'))
  await assert.rejects(setBudget(gateway, { swarmId: 'swarm-0' }, 1), refusal('NOT_FOUND'))
  assert.equal((await get(gateway, swarm)).swarm.tokenBudget, undefined)
})

test('what the children spend is added up; below the budget nothing happens', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway)
  await setBudget(gateway, swarm, 100)
  await update(gateway, children[0]?.taskId, { outputTokens: 60 })
  await update(gateway, children[1]?.taskId, { outputTokens: 39 })
  await update(gateway, children[1]?.taskId, { notes: 'nothing spent' })
  const after = await get(gateway, swarm)
  assert.deepEqual([after.swarm.tokensSpent, after.swarm.status, statuses(after)], [99, 'active', ['pending', 'pending']])
  assert.deepEqual(await mail(gateway, 'operator'), [])
})

test('when it is met the whole swarm is paused at once, and the operator has mail that stays', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway, { children: three })
  await setBudget(gateway, swarm, 100)
  const task = await claim(gateway)
  await update(gateway, children[1]?.taskId, { status: 'done', outputTokens: 40 })
  const tripped = await update(gateway, task.taskId, { claimId: task.claimId, outputTokens: 60 })
  assert.deepEqual([tripped.status, tripped.outputTokens, tripped.claimedBy], ['paused', 60, undefined])
  const after = await get(gateway, swarm)
  assert.deepEqual([after.swarm.status, after.swarm.pausedBy, after.swarm.tokensSpent], ['paused', 'budget', 100])
  assert.deepEqual(statuses(after), ['paused', 'done', 'paused'])
  assert.equal(await claim(gateway), undefined)
  await gateway.restart()
  const [message, ...more] = await mail(gateway, 'operator')
  assert.deepEqual([message?.kind, message?.swarmId, more.length], ['swarm', swarm.swarmId, 0])
  assert.match(message?.body ?? '', /100 of 100.*swarm_update_budget.*swarm_approve/)
})

test('when it is met an alert is raised, once', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway, { children: three })
  await setBudget(gateway, swarm, 100)
  const raised = () => gateway.logs.filter(({ source }) => source === 'swarms.token-budget')
  await update(gateway, children[0]?.taskId, { outputTokens: 99 })
  assert.deepEqual(raised(), [])
  for (let i = 0; i < 2; i++) await update(gateway, children[0]?.taskId, { outputTokens: 1 })
  assert.equal(raised().length, 1)
  assert.match(String(raised()[0]?.title), new RegExp(`${swarm.swarmId} is paused: its token budget`))
})

test('it goes on after the budget was raised and the swarm approved', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway)
  await setBudget(gateway, swarm, 10)
  await update(gateway, children[0]?.taskId, { outputTokens: 10 })
  assert.equal((await setBudget(gateway, swarm, 20)).swarm.status, 'paused')
  const after = await approve(gateway, swarm)
  assert.deepEqual([after.approved, after.swarm.status, after.swarm.pausedBy], [2, 'active', undefined])
  await update(gateway, children[0]?.taskId, { outputTokens: 10 })
  assert.equal((await get(gateway, swarm)).swarm.status, 'paused')
  assert.equal((await mail(gateway, 'operator')).length, 2)
})

test('what is spent while it is paused or stopped counts, and pauses nothing a second time', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway)
  await setBudget(gateway, swarm, 10)
  await update(gateway, children[0]?.taskId, { outputTokens: 10 })
  await update(gateway, children[0]?.taskId, { outputTokens: 5 })
  await stop(gateway, swarm)
  await update(gateway, children[0]?.taskId, { outputTokens: 5 })
  const { tokensSpent, status } = (await get(gateway, swarm)).swarm
  assert.deepEqual([tokensSpent, status, (await mail(gateway, 'operator')).length], [20, 'stopped', 1])
})

test('a ceiling below what an active swarm has spent pauses it', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway)
  await update(gateway, children[0]?.taskId, { outputTokens: 50 })
  const answer = await setBudget(gateway, swarm, 50)
  assert.deepEqual([answer.swarm.status, statuses(answer), (await mail(gateway, 'operator')).length], ['paused', ['paused', 'paused'], 1])
})

test('tokens that many children report at once are all counted, and trip the budget once', async () => {
  await using gateway = await start()
  const { swarm, children } = await active(gateway, { children: [...three, { title: 'd' }, { title: 'e' }] })
  await setBudget(gateway, swarm, 200)
  await Promise.all(Array.from({ length: 50 }, (_, i) => update(gateway, children[i % 5]?.taskId, { outputTokens: 10 })))
  const { tokensSpent, status } = (await get(gateway, swarm)).swarm
  assert.deepEqual([tokensSpent, status, (await mail(gateway, 'operator')).length], [500, 'paused', 1])
})

test('the pause, the spend and the mail stand or fall with the update that caused them, and the mail is announced after it', async () => {
  const ears = new EventEmitter()
  const heard: string[] = []
  let fails = true
  const other = definePlugin({
    id: 'test-other',
    sdk: '^1.0.0',
    description: 'Takes part after the swarms, and may refuse.',
    contributes: [
      contribute(taskChange, {
        create: () => ({
          async apply({ outputTokensDelta }) {
            if (fails && outputTokensDelta > 0) throw new Error('not now')
          },
        }),
      }),
    ],
    on: [
      on(messageReceived, {
        handle: async ({ to }) => {
          heard.push(to)
          ears.emit('heard')
        },
      }),
    ],
  })
  await using gateway = await start({ plugins: [swarms, other] })
  const { swarm, children } = await active(gateway)
  await setBudget(gateway, swarm, 10)
  const spend = () => update(gateway, children[0]?.taskId, { outputTokens: 10 })
  await assert.rejects(spend())
  const before = await get(gateway, swarm)
  assert.deepEqual([before.swarm.status, before.swarm.tokensSpent, statuses(before)], ['active', 0, ['pending', 'pending']])
  assert.deepEqual([await mail(gateway, 'operator'), heard], [[], []])
  fails = false
  const announced = once(ears, 'heard')
  await spend()
  await announced
  assert.deepEqual([(await get(gateway, swarm)).swarm.status, heard], ['paused', ['operator']])
})

test('tokens of a task without a swarm go to no swarm', async () => {
  await using gateway = await start()
  const { swarm } = await active(gateway)
  await setBudget(gateway, swarm, 1)
  const { task } = await gateway.call('tasks_create', { repo: 'web', title: 'alone' })
  await update(gateway, task.taskId, { outputTokens: 100 })
  assert.deepEqual([(await get(gateway, swarm)).swarm.tokensSpent, (await get(gateway, swarm)).swarm.status], [0, 'active'])
})
