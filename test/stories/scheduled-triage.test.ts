import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway, type TestGateway } from '@gateway/testing'
import { alerts, audited, events, outside, read, send, shown } from './support.ts'

async function createTriage(gateway: TestGateway, more: object = {}): Promise<string> {
  const body = { name: 'Morning triage', cronExpr: '30 9 * * *', kind: 'agent', target: 'ops-engineer', message: 'Triage.', ...more }
  return (await send(gateway, 'POST', '/api/schedules', body)).json().schedule.scheduleId
}

test('a scheduled triage runs by the clock, and its answer reaches a person on every transport', async () => {
  await using world = await outside('Two tasks are stuck.')
  await using gateway = await startTestGateway({ plugins: standardPlugins, config: world.config })
  const scheduleId = await createTriage(gateway)
  gateway.clock.set('2026-01-05T09:30:00.000Z')
  await gateway.runJob('schedules.tick')

  const { runs } = await read(gateway, `/api/schedules/${scheduleId}/runs`)
  assert.equal(runs.length, 1)
  const [{ status, result, traceId, costUsd, startedAt }] = runs
  assert.deepEqual([status, result, startedAt], ['success', 'Two tasks are stuck.', '2026-01-05T09:30:00.000Z'])
  assert.ok(costUsd > 0)
  assert.ok((await gateway.call('traces_list', { taskId: traceId })).spans.length > 0)

  // The answer is mail to the operator.
  const { messages } = await gateway.call('mail_inbox', { to: 'operator' })
  assert.deepEqual(
    messages.map(({ subject, body, kind }: Record<string, string>) => [subject, body, kind]),
    [['Morning triage', 'Two tasks are stuck.', 'result']],
  )
  const recalled = await gateway.call('session_recall', { agentName: 'ops-engineer' })
  assert.match(recalled.digest, /Two tasks are stuck/)
  const { did, spentUsd } = await read(gateway, '/api/agents/ops-engineer/activity')
  assert.deepEqual([did[0].kind, spentUsd], ['session', costUsd])

  const [row] = await shown(gateway, '/schedules/:scheduleId', 'runs', { scheduleId })
  assert.deepEqual([row?.head, row?.Error], ['success', undefined])
  assert.deepEqual(
    (await events(gateway, 'schedules.')).map(({ data }) => [
      (data as { scheduleId: string }).scheduleId,
      (data as { status: string }).status,
    ]),
    [[scheduleId, 'success']],
  )
  assert.deepEqual(await audited(gateway, 'agents_invoke'), [['operator', { agent: 'ops-engineer' }]])
  assert.deepEqual(await alerts(gateway), [])
})

test('with deliverTo the answer reaches the chat, and a failed triage waits in the attention queue', async () => {
  await using world = await outside('All is well.')
  await using gateway = await startTestGateway({ plugins: standardPlugins, config: world.config })
  const scheduleId = await createTriage(gateway, { deliverTo: 'ops' })
  const run = () => send(gateway, 'POST', `/api/schedules/${scheduleId}/run`)
  assert.equal((await run()).json().run.status, 'success')
  assert.match(world.chats()[0] ?? '', /Morning triage[\s\S]*All is well\./)
  assert.deepEqual((await gateway.call('mail_inbox', { to: 'operator' })).messages, [])
  await world[Symbol.asyncDispose]()
  const failed = (await run()).json()
  assert.deepEqual([failed.run.status, failed.schedule.lastError], ['error', failed.run.error])
  const { runs } = await read(gateway, `/api/schedules/${scheduleId}/runs`)
  assert.deepEqual(
    runs.map(({ status }: { status: string }) => status),
    ['error', 'success'],
  )
  assert.match(JSON.stringify(await read(gateway, '/api/attention')), /Morning triage/)
  assert.match((await alerts(gateway)).join(), /Morning triage/)
})
