import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { alerts, audited, events, outside, read, send, shown } from './support.ts'

const worker = { as: { kind: 'api-key', id: 'key:k5', role: 'member', label: 'm2/agent-5' } } as const

test('a plan day becomes work, is done by an agent, and ends; a person hears of it while it waits', async () => {
  await using world = await outside('')
  await using gateway = await startTestGateway({ plugins: standardPlugins, config: world.config })
  await send(gateway, 'PUT', '/api/plans/web', {
    startDate: '2026-01-05',
    fireHourUtc: 14,
    days: [{ day: 1, focus: 'Tidy the parser' }],
  })
  const day = async () => (await read(gateway, '/api/plans?repo=web')).days[0]
  const page = async () => (await shown(gateway, '/plans', 'days'))[0]
  const attention = async () => (await read(gateway, '/api/attention')).items.map(({ kind, tone }: Record<string, string>) => [kind, tone])
  assert.deepEqual(await page(), { head: 'Tidy the parser', Repo: 'web', Task: undefined, Status: 'enabled' })

  // It was down at the time, and makes up for it once.
  gateway.clock.set('2026-01-05T20:00:00.000Z')
  await gateway.restart()
  await gateway.runJob('plans.fire')
  await gateway.runJob('plans.fire')
  const { tasks } = await gateway.call('tasks_list', {})
  assert.deepEqual(
    tasks.map(({ title, repo, source, sourceId }: Record<string, string>) => [title, repo, source, sourceId]),
    [['Tidy the parser', 'web', 'scheduler', 'web:1']],
  )
  const [{ taskId }] = tasks
  assert.deepEqual([(await day()).taskId, (await page())?.Task], [taskId, taskId])
  assert.match((await gateway.call('context_boot', { repo: 'web' })).bundle ?? '', new RegExp(taskId))

  // The machine whose runner would take it has been silent since yesterday.
  await gateway.call('runner_heartbeat', { machine: 'm2', address: 'm2/inbox' }, worker)
  gateway.clock.advance(86_400)
  await gateway.runJob('tasks.claim-news')
  assert.deepEqual(await attention(), [['no-runner', 'bad']])
  assert.deepEqual(await alerts(gateway), ['No runner is alive'])
  assert.match(world.chats().join(), /No runner is alive/)

  // An agent that receives the offer by mail takes it, and the offer is withdrawn.
  await gateway.call('runner_heartbeat', { machine: 'm2', address: 'm2/inbox' }, worker)
  assert.deepEqual(await attention(), [['unserved', 'warn']])
  const { dispatched } = await gateway.call('dispatch_cycle', {})
  assert.deepEqual([dispatched[0].to, dispatched[0].taskId], ['m2/inbox', taskId])
  const { task } = await gateway.call('tasks_claim', {}, worker)
  assert.deepEqual(await attention(), [])
  assert.deepEqual([task.claimedBy, task.claimedByPrincipal], ['m2/agent-5', 'key m2/agent-5'])
  assert.deepEqual((await gateway.call('mail_inbox', { to: 'm2/inbox' })).messages, [])

  await gateway.call('tasks_update', { taskId, claimId: task.claimId, status: 'done' }, worker)
  assert.deepEqual([(await day()).status, (await page())?.Status], ['done', 'done'])
  const { did } = await read(gateway, `/api/agents/${encodeURIComponent('m2/agent-5')}/activity`)
  assert.deepEqual(
    did.filter(({ kind }: { kind: string }) => kind === 'task').map(({ id }: { id: string }) => id),
    [taskId],
  )
  await gateway.runJob('tasks.claim-news')
  assert.deepEqual(
    (await events(gateway, 'tasks.')).map(({ event, data }) => [event, (data as { title: string }).title]),
    ['tasks.created', 'tasks.claimed', 'tasks.moved'].map((event) => [event, 'Tidy the parser']),
  )
  assert.deepEqual(await audited(gateway, 'plan_set'), [['operator', { repo: 'web' }]])
  assert.deepEqual(await audited(gateway, 'tasks_update'), [['m2/agent-5', { taskId, claimId: task.claimId }]])
})
