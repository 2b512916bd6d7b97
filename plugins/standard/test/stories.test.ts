import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { PlannedSpend, Spend } from '@gateway/plugin-providers/api'
import { BudgetExceeded, spendGuard } from '@gateway/plugin-providers/api'
import { closed, definePlugin, defineTool, Type } from '@gateway/sdk'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { standardPlugins } from '../src/index.ts'

const SECRET = 'inbound-secret-0123456789'
const MINUTE = 60

/** Titles of the alerts raised so far, oldest first, after another look at the attention queue. */
async function alerts(gateway: TestGateway): Promise<string[]> {
  await gateway.runJob('notifications.attention')
  const { notifications } = await gateway.call('notifications_history', { limit: 500 })
  return notifications.map(({ title }: { title: string }) => title).reverse()
}
/** Sends a webhook as the code host does; returns the ids of what changed. */
async function tell(gateway: TestGateway, event: string, payload: object): Promise<string[]> {
  const body = JSON.stringify(payload)
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
  const headers = { 'x-webhook-signature-256': signature, 'x-webhook-event': event, 'x-webhook-delivery': `d-${signature.slice(-9)}` }
  const answer = await fetch(`${gateway.url}/api/webhooks/inbound/code-hosting`, { method: 'POST', headers, body })
  assert.equal(answer.status, 202)
  return ((await answer.json()) as { changed: string[] }).changed
}
async function waiting(gateway: TestGateway): Promise<{ kind: string; id: string; title: string }[]> {
  const { items } = (await gateway.inject({ method: 'GET', url: '/api/attention' })).json()
  return items
}

const get = async (gateway: TestGateway, url: string) => (await gateway.inject({ method: 'GET', url })).json()

async function publicEvents(gateway: TestGateway): Promise<ReadonlySet<string>> {
  const { events } = await get(gateway, '/api/events?limit=500')
  return new Set(events.map(({ event }: { event: string }) => event))
}
/** True if a page of the dashboard reads from the operation. */
async function isShown(gateway: TestGateway, path: string, operation: RegExp): Promise<boolean> {
  const { pages } = await get(gateway, '/api/dashboard/pages')
  return operation.test(JSON.stringify(pages.find((page: { path: string }) => page.path === path) ?? {}))
}
const audited = async (gateway: TestGateway): Promise<readonly unknown[]> => (await gateway.audit()).map(({ tool }) => tool)

test('the first child of a swarm ends through a merged pull request, which starts the second', async () => {
  const env = { CODE_HOSTING_WEBHOOK_SECRET: SECRET }
  await using gateway = await startTestGateway({ plugins: standardPlugins, env, listen: true })
  const children = [{ title: 'first' }, { title: 'second', dependsOnIndexes: [0] }]
  const { swarm } = await gateway.call('swarm_plan', { repo: 'web', goal: 'Ship it', children })
  await gateway.call('swarm_approve', { swarmId: swarm.swarmId, approvedBy: 'operator' })
  const { task } = await gateway.call('tasks_claim', { claimedBy: 'ada' })
  const prUrl = 'https://code.example/acme/web/pull/7'
  await gateway.call('tasks_update', { taskId: task.taskId, claimId: task.claimId, status: 'review', prUrl })
  assert.deepEqual(
    (await waiting(gateway)).map(({ kind, id }) => [kind, id]),
    [['review', task.taskId]],
  )
  const other = { as: { kind: 'user', role: 'owner', id: 'eve', tenantId: 'acme' } } as const
  const { task: foreign } = await gateway.call('tasks_create', { repo: 'web', title: 'Of another tenant' }, other)
  await gateway.call('tasks_update', { taskId: foreign.taskId, status: 'review', prUrl }, other)

  gateway.clock.advance(25 * 60 * MINUTE)
  assert.match((await alerts(gateway)).join(), /Task “first” is in review/)

  const check_run = { name: 'unit tests', head_sha: 'c0ffee', conclusion: 'failure', pull_requests: [{ number: 7 }] }
  const hosted = { name: 'web', full_name: 'acme/web', html_url: 'https://code.example/acme/web' }
  assert.deepEqual(await tell(gateway, 'check_run', { check_run, repository: hosted }), [task.taskId])
  const mailed = async () => (await gateway.call('mail_inbox', { to: 'ada' })).messages.map(({ subject }: { subject: string }) => subject)
  while ((await mailed()).length === 0) await new Promise(setImmediate)
  assert.deepEqual(await mailed(), ['The check “unit tests” failed'])
  assert.match((await gateway.call('tasks.get', { taskId: task.taskId })).task.notes, /unit tests.*c0ffee failed/)

  const pull_request = {
    html_url: prUrl,
    number: 7,
    title: 'It',
    merged: true,
    state: 'closed',
    head: { ref: 'fix' },
    base: { ref: 'main' },
  }
  const changed = await tell(gateway, 'pull_request', { action: 'closed', pull_request, repository: hosted })
  assert.ok(changed.includes(task.taskId))

  assert.equal((await gateway.call('tasks.get', { taskId: task.taskId })).task.status, 'done')
  assert.equal((await gateway.call('tasks.get', { taskId: foreign.taskId }, other)).task.status, 'review', 'a task of another tenant')
  assert.equal((await gateway.call('tasks_claim', { claimedBy: 'ada' })).task.title, 'second')
  assert.deepEqual(
    (await waiting(gateway)).filter(({ kind }) => kind === 'review'),
    [],
  )
  const { events } = (await gateway.inject({ method: 'GET', url: `/api/tasks/${task.taskId}/history` })).json()
  assert.match(JSON.stringify(events), /review.*done/)
  for (const tool of ['swarm_plan', 'swarm_approve', 'webhooks.receive']) assert.ok((await audited(gateway)).includes(tool), tool)
  const told = await publicEvents(gateway)
  for (const event of ['swarms.planned', 'swarms.approved', 'tasks.claimed', 'tasks.moved', 'tasks.check-failed'])
    assert.ok(told.has(event), event)
  const { children: shown } = await gateway.call('swarm_get', { swarmId: swarm.swarmId })
  assert.deepEqual(
    shown.map(({ displayStatus }: { displayStatus: string }) => displayStatus),
    ['done', 'running'],
  )
  assert.ok(await isShown(gateway, '/swarms/:swarmId', /swarm_get/))
})

/** Plays the model side of a call. */
const spender = definePlugin({
  id: 'spender',
  sdk: '^1.0.0',
  description: 'Spends money, for tests.',
  tools: [
    defineTool({
      name: 'spend_usd',
      description: 'Spend money on a model call. Returns nothing.',
      capability: 'work',
      effect: 'write',
      input: Type.Object({ usd: Type.Number() }, closed),
      output: Type.Object({}),
      uses: { guards: spendGuard },
      errors: [BudgetExceeded],
      async handle({ usd: costUsd }, { guards }, ctx) {
        const call = { callId: ctx.newId('call-'), channel: 'mcp', member: 'ada', provider: 'api', model: 'big', tier: 'standard' } as const
        const covered = { inputTokens: 10, outputTokens: 10, costUsd: 0.01, priced: true }
        const planned = { ...call, inputTokens: 10, maxOutputTokens: 10, maxCostUsd: 0.01, covered }
        const reserved = await guards[0]?.reserve(planned as PlannedSpend)
        const used = { inputTokens: 100, outputTokens: 10, estimated: false, priced: true, costUsd, outcome: 'ok' } as const
        await reserved?.settle({ ...call, ...used } as Spend)
        return {}
      },
    }),
  ],
})

test('a budget that nears its cap and reaches it raises an alert each time, and a raised cap lets work go on', async () => {
  const budgets = { dailyCapUsd: 10 }
  const config = { budgets }
  await using gateway = await startTestGateway({ plugins: [...standardPlugins, spender], config })
  await gateway.call('spend_usd', { usd: 5 })
  assert.deepEqual(await alerts(gateway), [])
  await gateway.call('spend_usd', { usd: 4 })
  assert.deepEqual(await alerts(gateway), ['The budget of models is nearly used up'])
  await gateway.call('spend_usd', { usd: 1 })
  assert.deepEqual((await alerts(gateway)).slice(1), ['The budget of models is used up'])
  await assert.rejects(gateway.call('spend_usd', { usd: 1 }), { code: 'BUDGET_EXCEEDED' })
  assert.deepEqual(
    (await waiting(gateway)).map(({ kind }) => kind),
    ['budget-stop'],
  )
  const told = await publicEvents(gateway)
  assert.ok(told.has('budgets.near') && told.has('budgets.reached'))
  assert.ok(await isShown(gateway, '/budgets', /budgets.status/))
  const refused = (await gateway.audit()).filter(({ tool, decision }) => tool === 'spend_usd' && decision !== 'ok')
  assert.equal(refused.length, 1, 'the refused call is in the audit trail')
  const { spendToday, missing } = await gateway.call('fleet_overview')
  assert.deepEqual([spendToday.usd, missing], [10, []])

  budgets.dailyCapUsd = 20
  await gateway.restart()
  await gateway.call('spend_usd', { usd: 1 })
  assert.deepEqual(await waiting(gateway), [])
  assert.equal((await alerts(gateway)).length, 2)
})

test('a runner that dies is noticed, and another runner finishes its task', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  await gateway.call('runner_heartbeat', { machine: 'm1' })
  const { task } = await gateway.call('tasks_create', { repo: 'web', title: 'Fix it' })
  const { task: first } = await gateway.call('tasks_claim', { claimedBy: 'm1/lane/1', leaseSeconds: 600 })
  assert.equal(first.taskId, task.taskId)
  assert.deepEqual(await alerts(gateway), [])

  gateway.clock.advance(30 * MINUTE)
  await gateway.runJob('tasks.lease-reap')
  gateway.clock.advance(60 * MINUTE)
  assert.deepEqual(await alerts(gateway), ['No runner is alive'])
  assert.deepEqual(
    (await waiting(gateway)).map(({ kind }) => kind),
    ['no-runner'],
  )

  await gateway.call('runner_heartbeat', { machine: 'm2' })
  const { task: second } = await gateway.call('tasks_claim', { claimedBy: 'm2/lane/1' })
  assert.equal(second.taskId, task.taskId)
  const late = gateway.call('tasks_update', { taskId: task.taskId, claimId: first.claimId, status: 'done' })
  await assert.rejects(late, { code: 'CONFLICT' })
  await gateway.call('tasks_update', { taskId: task.taskId, claimId: second.claimId, status: 'done' })
  assert.equal((await gateway.call('tasks.get', { taskId: task.taskId })).task.status, 'done')
  assert.deepEqual(await waiting(gateway), [])
  assert.equal((await alerts(gateway)).length, 1)
  const { events: story } = await get(gateway, `/api/tasks/${task.taskId}/history`)
  assert.match(JSON.stringify(story), /m1\/lane\/1.*m2\/lane\/1/)
  assert.ok((await publicEvents(gateway)).has('tasks.claimed'))
  assert.ok(await isShown(gateway, '/runners', /runner_liveness/))
  for (const tool of ['runner_heartbeat', 'tasks_claim', 'tasks_update']) assert.ok((await audited(gateway)).includes(tool), tool)
})
