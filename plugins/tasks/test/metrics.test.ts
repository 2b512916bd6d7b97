import assert from 'node:assert/strict'
import { test } from 'node:test'
import { syntheticTenant } from '@gateway/sdk'
import type { TestGateway } from '@gateway/testing'
import { start } from './support.ts'

const shown = async (gateway: TestGateway): Promise<string[]> =>
  (await gateway.inject({ method: 'GET', url: '/metrics' })).body.split('\n').filter((line) => line.startsWith('gateway_tasks_'))
const draft = { repo: 'web', title: 'Mend it' }

test('the queue shows its tasks by status over all tenants, and for how long the oldest claimable one waits', async () => {
  await using gateway = await start()
  const acme = { tenantId: 'acme', kind: 'api-key', role: 'owner', id: 'key' } as const
  await gateway.call('tasks_create', { ...draft, priority: 'P3' }, { as: acme })
  gateway.clock.advance(90)
  await gateway.call('tasks_create', { ...draft, priority: 'P0' })
  await gateway.call('tasks_create', draft, { as: { tenantId: syntheticTenant('canary') } })
  const before = await shown(gateway)
  assert.ok(before.includes('gateway_tasks_by_status{status="pending"} 2'), before.join('\n'))
  assert.ok(before.includes('gateway_tasks_oldest_ready_seconds 90'))
  await gateway.call('tasks_claim', { claimedBy: 'ann' }, { as: acme })
  gateway.clock.advance(10)
  const after = await shown(gateway)
  assert.ok(after.includes('gateway_tasks_by_status{status="pending"} 1'), after.join('\n'))
  assert.ok(after.includes('gateway_tasks_by_status{status="working"} 1'))
  assert.ok(after.includes('gateway_tasks_oldest_ready_seconds 10'))
})

test('claims, retries and dead letters are counted, and what a synthetic tenant does is not', async () => {
  await using gateway = await start({ config: { tasks: { maxRetries: 1 } } })
  const { task } = await gateway.call('tasks_create', draft)
  for (let attempt = 0; attempt < 2; attempt++) {
    assert.equal((await gateway.call('tasks_claim', { claimedBy: 'ann' })).claimed, true)
    await gateway.call('tasks_fail', { taskId: task.taskId, error: 'no' })
    gateway.clock.advance(86_400)
  }
  await gateway.call('tasks_claim', { claimedBy: 'ann' })
  await gateway.call('tasks_claim', { claimedBy: 'ann' }, { as: { tenantId: syntheticTenant('canary') } })
  const lines = await shown(gateway)
  for (const line of [
    'gateway_tasks_claims_total{result="claimed"} 2',
    'gateway_tasks_claims_total{result="empty"} 1',
    'gateway_tasks_retries_total 1',
    'gateway_tasks_dead_letters_total 1',
    'gateway_tasks_by_status{status="dead_letter"} 1',
  ])
    assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`)
})
