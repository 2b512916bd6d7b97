import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from './support.ts'

test('machines by state, and executions by lane and result, are measured', async () => {
  await using gateway = await start()
  const shown = async (): Promise<string[]> =>
    (await gateway.inject({ method: 'GET', url: '/metrics' })).body.split('\n').filter((line) => line.startsWith('gateway_runners_'))
  await gateway.call('runner_heartbeat', { machine: 'm1' })
  gateway.clock.advance(26 * 60)
  await gateway.call('runner_heartbeat', { machine: 'm2' })
  for (const status of ['review', 'blocked']) {
    await gateway.call('tasks_create', { repo: 'web', title: 'Mend' })
    const { taskId } = (await gateway.call('tasks_claim', { claimedBy: 'm2' })).task
    await gateway.call('tasks_update', { taskId, executionLane: 'agentic-fallback', status })
  }
  const lines = await shown()
  for (const line of [
    'gateway_runners_machines{state="alive"} 1',
    'gateway_runners_machines{state="down"} 1',
    'gateway_runners_executions_total{lane="agentic-fallback",result="finished"} 1',
    'gateway_runners_executions_total{lane="agentic-fallback",result="failed"} 1',
  ])
    assert.ok(lines.includes(line), lines.join('\n'))
})
