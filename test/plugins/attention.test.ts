import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttentionView } from '@gateway/sdk'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'

const look = async (gateway: TestGateway): Promise<AttentionView> =>
  (await gateway.inject({ method: 'GET', url: '/api/attention' })).json() as AttentionView
const brief = ({ count, items }: AttentionView): object => ({
  count,
  items: items.map(({ kind, title, tone, link }) => [kind, title, tone, link?.path]),
})

test('approvals, dead letters, overdue mail, failed jobs and schedules stand in one queue, and leave it when they are dealt with', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  assert.deepEqual(brief(await look(gateway)), { count: 0, items: [] })

  await gateway.call('mail_send', { to: 'operator', from: 'ada', subject: 'Which one?', body: 'A or B?' })
  gateway.clock.advance(4_000)
  const { swarm } = (await gateway.call('swarm_plan', {
    repo: 'shelves',
    goal: 'Sort them',
    children: [{ title: 'A' }],
    consent: true,
  })) as {
    swarm: { swarmId: string }
  }
  gateway.clock.advance(10)
  const { task } = (await gateway.call('tasks_create', { repo: 'shelves', title: 'Dust them' })) as { task: { taskId: string } }
  await gateway.call('tasks_update', { taskId: task.taskId, status: 'dead_letter' })
  gateway.clock.advance(10)
  await gateway.call('job_history_record', { repo: 'shelves', status: 'failed', resultLine: 'No dust.', startedAtMs: gateway.clock.now() })

  const { swarmId } = swarm
  assert.deepEqual(brief(await look(gateway)), {
    count: 4,
    items: [
      ['failed-job', 'A job in shelves has failed', 'warn', '/jobs'],
      ['dead-letter', 'Task “Dust them” has failed for good', 'bad', `/tasks/${task.taskId}`],
      ['swarm-approval', 'Swarm “Sort them” waits for an approval', 'warn', `/swarms/${swarmId}`],
      ['overdue-ack', 'Mail of ada (operator) is not acknowledged: Which one?', 'warn', '/mailbox'],
    ],
  })

  const ofSwarm = (await look(gateway)).items.find(({ kind }) => kind === 'swarm-approval')
  assert.equal(ofSwarm?.text, '1 task is paused until then.')

  await gateway.call('swarm_approve', { swarmId })
  await gateway.call('tasks_delete', { taskId: task.taskId })
  assert.deepEqual(
    (await look(gateway)).items.map(({ kind }) => kind),
    ['failed-job', 'overdue-ack'],
  )
})

test('a failed job waits with the error and the title of its task, once for a task and not while the task is tried again', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  const { task } = await gateway.call('tasks_create', { repo: 'shelves', title: 'Dust them' })
  const { taskId } = task
  const fail = async (nr: number): Promise<void> => {
    const errors = { resultLine: 'All is dusted.', errorExcerpt: `[check] Dust was found ${nr} times.` }
    await gateway.call('job_history_record', { repo: 'shelves', taskId, status: 'failed', ...errors })
    gateway.clock.advance(10)
  }
  const failed = async () => (await look(gateway)).items.filter(({ kind }) => kind === 'failed-job')
  await fail(1)
  assert.deepEqual(await failed(), [])
  await fail(2)
  await gateway.call('tasks_update', { taskId, status: 'dead_letter' })
  assert.deepEqual(
    (await failed()).map(({ title, text, link }) => [title, text, link?.path]),
    [['A job of “Dust them” in shelves has failed', '[check] Dust was found 2 times.', `/tasks/${taskId}`]],
  )
  await gateway.call('tasks_delete', { taskId })
  assert.deepEqual(await failed(), [], 'a person has removed it')
  await gateway.call('tasks_restore', { taskId })
  assert.equal((await failed()).length, 1)
  await gateway.call('tasks_update', { taskId, status: 'done' })
  assert.deepEqual(await failed(), [])
  await gateway.call('job_history_record', { repo: 'shelves', status: 'failed' })
  assert.deepEqual(
    (await failed()).map(({ title }) => title),
    ['A job in shelves has failed'],
  )
  await gateway.call('job_history_record', { repo: 'shelves', taskId: 'DUST-7', status: 'failed' })
  assert.deepEqual(
    (await failed()).map(({ title, link }) => [title, link?.path]),
    [
      ['A job of DUST-7 in shelves has failed', '/jobs'],
      ['A job in shelves has failed', '/jobs'],
    ],
    'work that is tracked elsewhere',
  )
  gateway.clock.advance(60)
  await gateway.call('job_history_record', { repo: 'shelves', taskId: 'DUST-7', status: 'done' })
  assert.equal((await failed()).length, 1, 'its last run has not failed')
  for (const [repo, status] of [
    ['shelves', 'failed'],
    ['floors', 'done'],
  ]) {
    gateway.clock.advance(60)
    await gateway.call('job_history_record', { repo, taskId: 'DUST-7', status })
  }
  assert.equal((await failed()).length, 2, 'the run of another repo is of other work')
})

test('every family whose things wait is asked, and answers', async () => {
  await using gateway = await startTestGateway({ plugins: standardPlugins })
  const { failed } = await look(gateway)
  assert.deepEqual(failed, [])
})
