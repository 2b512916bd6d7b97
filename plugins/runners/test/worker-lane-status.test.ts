import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, HOUR, start, type TestGateway } from './support.ts'

const lanes = async (gateway: TestGateway, args: object = {}) => (await gateway.call('worker_lane_status', args)).lanes
const none = { executions24h: 0, executions30d: 0 }

test('a lane is not configured until a runner of it is heard of, then connected, and down after 25 minutes of silence', async () => {
  await using gateway = await start()
  const idle = { lane: 'agentic-fallback', state: 'not-configured', ...none }
  assert.deepEqual(await lanes(gateway), [{ lane: 'primary', state: 'not-configured', ...none }, idle])
  await gateway.call('runner_heartbeat', { machine: 'forge' })
  const heard = { lane: 'primary', host: 'forge', lastCheck: at(gateway), ...none }
  gateway.clock.advance(25 * 60)
  assert.deepEqual(await lanes(gateway), [{ ...heard, state: 'connected' }, idle])
  gateway.clock.advance(1)
  assert.deepEqual(await lanes(gateway), [{ ...heard, state: 'down' }, idle])
  assert.equal((await lanes(gateway, { thresholdMinutes: 26 }))[0].state, 'connected')
})

test('capabilities say which lanes a runner serves; the host is the one last heard of', async () => {
  await using gateway = await start()
  await gateway.call('runner_heartbeat', { machine: 'forge', capabilities: ['gpu', 'agentic-fallback', 'primary'] })
  gateway.clock.advance(1)
  await gateway.call('runner_heartbeat', { machine: 'anvil', capabilities: ['agentic-fallback'] })
  const hosts = (await lanes(gateway)).map(({ lane, host }: { lane: string; host: string }) => [lane, host])
  assert.deepEqual(hosts, [
    ['primary', 'forge'],
    ['agentic-fallback', 'anvil'],
  ])
})

test('further connected machines of a lane are named beside its host, and silent ones are not', async () => {
  await using gateway = await start()
  const others = async () => (await lanes(gateway)).map((lane: { host?: string; others?: string[] }) => [lane.host, lane.others])
  for (const machine of ['forge', 'anvil', 'bellows']) {
    await gateway.call('runner_heartbeat', { machine })
    gateway.clock.advance(12 * 60)
  }
  await gateway.call('runner_heartbeat', { machine: 'tongs', capabilities: ['agentic-fallback'] })
  assert.deepEqual(await others(), [
    ['bellows', ['anvil']],
    ['tongs', undefined],
  ])
})

/** Claims a task, perhaps puts it on a lane, and ends the work. */
async function run(gateway: TestGateway, end: object, executionLane?: string): Promise<void> {
  const { task } = await gateway.call('tasks_create', { repo: 'web', title: 'A task' })
  const { taskId } = task
  await gateway.call('tasks_claim', { claimedBy: 'ada', taskId })
  if (executionLane) await gateway.call('tasks_update', { taskId, executionLane })
  if ('error' in end) await gateway.call('tasks_fail', { taskId, ...end })
  else await gateway.call('tasks_update', { taskId, ...end })
}
const counts = async (gateway: TestGateway) =>
  (await lanes(gateway)).map((lane: { executions24h: number; executions30d: number }) => [lane.executions24h, lane.executions30d])

test('work that ends or fails is an execution of the task’s lane; giving it back unworked is none', async () => {
  await using gateway = await start()
  await run(gateway, { status: 'done' })
  await run(gateway, { status: 'review' }, 'primary')
  await run(gateway, { status: 'blocked', operatorAuthorized: true }, 'agentic-fallback')
  await run(gateway, { error: 'it broke' }, 'agentic-fallback')
  await run(gateway, { status: 'pending' })
  await run(gateway, { status: 'pending', pacingDefer: true, deferSeconds: 60 })
  assert.deepEqual(await counts(gateway), [
    [2, 2],
    [2, 2],
  ])
})

test('executions are counted for a day and for thirty days, to ten minutes', async () => {
  await using gateway = await start()
  await run(gateway, { status: 'done' })
  gateway.clock.advance(23 * HOUR)
  await run(gateway, { status: 'done' })
  const [, idle] = await counts(gateway)
  assert.deepEqual(idle, [0, 0])
  assert.deepEqual((await counts(gateway))[0], [2, 2])
  gateway.clock.advance(HOUR + 600)
  assert.deepEqual((await counts(gateway))[0], [1, 2])
  gateway.clock.advance(29 * 24 * HOUR)
  assert.deepEqual((await counts(gateway))[0], [0, 1])
  gateway.clock.advance(24 * HOUR)
  assert.deepEqual((await counts(gateway))[0], [0, 0])
})

test('an execution and its count are one change', async () => {
  await using gateway = await start()
  const { task } = await gateway.call('tasks_create', { repo: 'web', title: 'A task' })
  await gateway.call('tasks_claim', { claimedBy: 'ada', taskId: task.taskId })
  const stale = { taskId: task.taskId, claimId: 'claim-stale', status: 'done' }
  await assert.rejects(gateway.call('tasks_update', stale))
  assert.deepEqual((await counts(gateway))[0], [0, 0])
})
