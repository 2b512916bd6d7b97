import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowAgent } from './here.ts'
import { create, get, start } from './support.ts'

const LEASE_SECONDS = 120

test('a task whose gateway is killed while its agent works is claimable again two minutes later', async () => {
  const agent = slowAgent()
  await using gateway = await start({ plugins: [agent.plugin], env: { GATEWAY_STOP_TIMEOUT_MS: '100' } })
  const { taskId } = await create(gateway, { assignedAgent: 'summarizer' })
  const begun = agent.begins()
  gateway.call('dispatch_cycle').catch(() => {})
  await begun
  await gateway.restart()
  assert.equal((await get(gateway, taskId)).status, 'working')
  gateway.clock.advance(LEASE_SECONDS + 1)
  await gateway.runJob('tasks.lease-reap')
  assert.equal((await get(gateway, taskId)).status, 'pending')
})

test('the lease of a task is renewed for as long as its agent works', async (t) => {
  const agent = slowAgent()
  await using gateway = await start({ plugins: [agent.plugin] })
  const { taskId } = await create(gateway, { assignedAgent: 'summarizer' })
  t.mock.timers.enable({ apis: ['setInterval'] })
  const begun = agent.begins()
  const cycle = gateway.call('dispatch_cycle')
  await begun
  const leaseUntil = async () => String((await get(gateway, taskId)).leaseUntil)
  for (let renewals = 0; renewals < 5; renewals++) {
    const before = await leaseUntil()
    gateway.clock.advance(LEASE_SECONDS / 3)
    t.mock.timers.tick((LEASE_SECONDS / 3) * 1_000)
    while ((await leaseUntil()) <= before) await new Promise(setImmediate)
  }
  t.mock.timers.reset()
  agent.release()
  assert.equal((await cycle).dispatched[0].outcome, 'done')
})
