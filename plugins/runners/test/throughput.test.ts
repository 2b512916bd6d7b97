import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR, start, type TestGateway } from './support.ts'

async function run(gateway: TestGateway, isFailure: boolean): Promise<void> {
  const { taskId } = (await gateway.call('tasks_create', { repo: 'web', title: 'A task' })).task
  const { claimId } = (await gateway.call('tasks_claim', { claimedBy: 'ada', taskId })).task
  if (isFailure) await gateway.call('tasks_fail', { taskId, claimId, error: 'it broke' })
  else await gateway.call('tasks_update', { taskId, claimId, status: 'done' })
}

test('each of the last hours has the executions that finished and failed in it, and an hour without one has none', async () => {
  await using gateway = await start()
  const [first] = (await gateway.call('runners.throughput', { hours: 1 })).hours
  gateway.clock.advance((Date.parse(first.hour) + HOUR * 1_000 - gateway.clock.now()) / 1_000)
  await run(gateway, false)
  await run(gateway, true)
  gateway.clock.advance(2 * HOUR)
  await run(gateway, false)
  const { hours, done, failed } = await gateway.call('runners.throughput', { hours: 4 })
  const ended = hours.map((hour: { done: number; failed: number }) => [hour.done, hour.failed])
  assert.deepEqual(ended, [
    [0, 0],
    [1, 1],
    [0, 0],
    [1, 0],
  ])
  assert.deepEqual([done, failed], [2, 1])
  assert.equal((await gateway.call('runners.throughput')).hours.length, 24)
})
