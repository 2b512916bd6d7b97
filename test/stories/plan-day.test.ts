import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'

const worker = { as: { kind: 'api-key', id: 'key:k5', role: 'member', label: 'm2/agent-5' } } as const

test('a plan day becomes work, is done by an agent, and ends', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  const body = { startDate: '2026-01-05', fireHourUtc: 14, days: [{ day: 1, focus: 'Tidy the parser' }] }
  assert.equal((await gateway.inject({ method: 'PUT', url: '/api/plans/web', body })).status, 200)
  const day = async () => (await gateway.inject({ method: 'GET', url: '/api/plans?repo=web' })).json().days[0]

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
  assert.equal((await day()).taskId, tasks[0].taskId)
  assert.match((await gateway.call('context_boot', { repo: 'web' })).bundle ?? '', new RegExp(tasks[0].taskId))

  // An agent that receives the offer by mail takes it, and the offer is withdrawn.
  await gateway.call('runner_heartbeat', { machine: 'm2', address: 'm2/inbox' })
  const { dispatched } = await gateway.call('dispatch_cycle', {})
  assert.deepEqual([dispatched[0].to, dispatched[0].taskId], ['m2/inbox', tasks[0].taskId])
  const { task } = await gateway.call('tasks_claim', {}, worker)
  assert.deepEqual([task.claimedBy, task.claimedByPrincipal], ['m2/agent-5', 'key m2/agent-5'])
  assert.deepEqual((await gateway.call('mail_inbox', { to: 'm2/inbox' })).messages, [])

  await gateway.call('tasks_update', { taskId: task.taskId, claimId: task.claimId, status: 'done' }, worker)
  assert.equal((await day()).status, 'done')
  const { did } = (await gateway.inject({ method: 'GET', url: `/api/agents/${encodeURIComponent('m2/agent-5')}/activity` })).json()
  assert.deepEqual(
    did.filter(({ kind }: { kind: string }) => kind === 'task').map(({ id }: { id: string }) => id),
    [task.taskId],
  )
  const record = (await gateway.audit()).find(({ tool }) => tool === 'tasks_update')
  assert.ok(record)
  assert.deepEqual(
    [record.subject, (record.principal as { label: string }).label],
    [{ taskId: task.taskId, claimId: task.claimId }, 'm2/agent-5'],
  )
})
