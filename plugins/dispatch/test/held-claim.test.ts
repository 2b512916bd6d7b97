import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { agentHere, answer } from './here.ts'
import { create, get, start } from './support.ts'

const LEASE_SECONDS = 120

test('a task whose gateway is killed while its agent works is claimable again two minutes later', async () => {
  const begun = new EventEmitter()
  const hanging = agentHere({
    run() {
      begun.emit('run')
      return new Promise(() => {})
    },
  })
  await using gateway = await start({ plugins: [hanging], env: { GATEWAY_STOP_TIMEOUT_MS: '100' } })
  const { taskId } = await create(gateway, { assignedAgent: 'summarizer' })
  const running = once(begun, 'run')
  gateway.call('dispatch_cycle').catch(() => {})
  await running
  await gateway.restart()
  assert.equal((await get(gateway, taskId)).status, 'working')
  gateway.clock.advance(LEASE_SECONDS + 1)
  await gateway.runJob('tasks.lease-reap')
  assert.equal((await get(gateway, taskId)).status, 'pending')
})

test('the lease of a task is renewed for as long as its agent works', async (t) => {
  const gate = new EventEmitter()
  const slow = agentHere({
    async run() {
      gate.emit('run')
      await once(gate, 'open')
      return answer
    },
  })
  await using gateway = await start({ plugins: [slow] })
  const { taskId } = await create(gateway, { assignedAgent: 'summarizer' })
  t.mock.timers.enable({ apis: ['setInterval'] })
  const running = once(gate, 'run')
  const cycle = gateway.call('dispatch_cycle')
  await running
  const leaseUntil = async () => String((await get(gateway, taskId)).leaseUntil)
  for (let renewals = 0; renewals < 5; renewals++) {
    const before = await leaseUntil()
    gateway.clock.advance(LEASE_SECONDS / 3)
    t.mock.timers.tick((LEASE_SECONDS / 3) * 1_000)
    while ((await leaseUntil()) <= before) await new Promise(setImmediate)
  }
  t.mock.timers.reset()
  gate.emit('open')
  assert.equal((await cycle).dispatched[0].outcome, 'done')
})
