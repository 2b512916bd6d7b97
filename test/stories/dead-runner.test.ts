import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { alerts, audited, events, outside, read, send, shown } from './support.ts'

const keyOf = (machine: string) => ({ as: { kind: 'api-key', id: `key:${machine}`, role: 'member', label: `${machine}/runner` } }) as const

test('a runner dies, is noticed, and another runner finishes its task', async () => {
  await using world = await outside('')
  await using gateway = await startTestGateway({ plugins: standardPlugins, config: world.config })
  const beat = (machine: string) =>
    gateway.call('runner_heartbeat', { machine, holder: `${machine}/runner/1`, address: `${machine}/runner` }, keyOf(machine))
  const claim = async (machine: string) => {
    const slot = { holder: `${machine}/primary/1`, leaseSeconds: 120 }
    const { lease } = await gateway.call('runner_lease_acquire', { ...slot, machine, slots: 1 }, keyOf(machine))
    const { task } = await gateway.call('tasks_claim', { claimedBy: slot.holder, leaseSeconds: 120 }, keyOf(machine))
    await gateway.call('runner_lease_heartbeat', { ...slot, slot: lease.slot, taskId: task.taskId }, keyOf(machine))
    return task
  }
  const { taskId } = (await send(gateway, 'POST', '/api/tasks', { repo: 'web', title: 'Mend the pump' })).json().task
  await beat('m1')
  const first = await claim('m1')
  assert.equal(first.taskId, taskId)
  const [run] = await shown(gateway, '/runners', 'runs')
  assert.deepEqual([run?.Task, run?.Runner], ['Mend the pump', 'm1/primary/1'])

  // m1 is killed: no heartbeat, no extension of its lease. Its task waits again after the lease, and nobody is there.
  gateway.clock.advance(30 * 60)
  await gateway.runJob('tasks.lease-reap')
  const { retryCount, nextRetryAt } = (await read(gateway, `/api/tasks/${taskId}`)).task
  assert.equal(retryCount, 1)
  gateway.clock.set(nextRetryAt)
  await gateway.runJob('tasks.claim-news')
  const [machine] = await shown(gateway, '/runners', 'machines')
  assert.deepEqual([machine?.Machine, machine?.State], ['m1', true])
  const { items } = await read(gateway, '/api/attention')
  assert.deepEqual(
    items.map(({ kind, tone }: Record<string, string>) => [kind, tone]),
    [['no-runner', 'bad']],
  )
  assert.deepEqual(await alerts(gateway), ['No runner is alive'])
  assert.match(world.chats().join(), /No runner is alive/)

  await beat('m2')
  assert.deepEqual((await read(gateway, '/api/attention')).count, 0)
  const second = await claim('m2')
  assert.equal(second.taskId, taskId)
  await assert.rejects(gateway.call('tasks_update', { taskId, claimId: first.claimId, status: 'review' }, keyOf('m1')), {
    code: 'CONFLICT',
  })
  await gateway.call('tasks_update', { taskId, claimId: second.claimId, status: 'done' }, keyOf('m2'))

  assert.equal((await read(gateway, `/api/tasks/${taskId}`)).task.status, 'done')
  assert.deepEqual(await alerts(gateway), ['No runner is alive'])
  await gateway.runJob('tasks.claim-news')
  assert.deepEqual(
    (await events(gateway, 'tasks.')).map(({ event, data }) => `${event} ${(data as { status: string }).status}`),
    [
      'tasks.created pending',
      'tasks.claimed working',
      'tasks.moved pending',
      'tasks.failed pending',
      'tasks.claimed working',
      'tasks.moved done',
    ],
  )
  assert.deepEqual(
    (await audited(gateway, 'tasks_update')).map(([who]) => who),
    ['m1/runner', 'm2/runner'],
  )
  const { did } = await read(gateway, `/api/agents/${encodeURIComponent('m2/primary/1')}/activity`)
  assert.ok(did.some(({ id }: { id: string }) => id === taskId))
})
