import assert from 'node:assert/strict'
import { test } from 'node:test'
import tasks from '@gateway/plugin-tasks'
import trash from '@gateway/plugin-trash'
import { pluginSuite, startTestGateway, testClock } from '@gateway/testing'
import { inHours, nextOpening } from '../src/hours.ts'
import guard from '../src/index.ts'

pluginSuite(guard, { folder: import.meta.dirname })

const plugins = [trash, tasks, guard]
const task = { repo: 'app', title: 'Fix the login page', priority: 'P1' }
const claim = { repo: 'app', claimedBy: 'worker' }

test('while claims are stopped nobody gets a task, and everybody reads why', async () => {
  await using gateway = await startTestGateway({ plugins })
  await gateway.call('tasks_create', task)
  await gateway.call('claim_guard_stop', { reason: 'A release is under way.' })
  await gateway.restart()
  const refused = await gateway.call('tasks_claim', claim)
  assert.equal(refused.claimed, false)
  assert.match(JSON.stringify(refused), /A release is under way\./)
  assert.deepEqual(await gateway.call('claim_guard_release'), { released: true })
  assert.deepEqual(await gateway.call('claim_guard_release'), { released: false })
  assert.equal((await gateway.call('tasks_claim', claim)).task.title, task.title)
})

test('outside of the hours no task is claimed; when they begin, it is', async () => {
  const clock = testClock('2026-01-05T05:30:00.000Z')
  await using gateway = await startTestGateway({ plugins, clock, config: { 'claim-guard': { from: 6, until: 18 } } })
  await gateway.call('tasks_create', task)
  assert.equal((await gateway.call('tasks_claim', claim)).claimed, false)
  clock.advance(1800)
  assert.equal((await gateway.call('tasks_claim', claim)).task.title, task.title)
})

test('one tenant’s stop is none for another', async () => {
  await using gateway = await startTestGateway({ plugins })
  await gateway.call('claim_guard_stop', { reason: 'Holiday.' }, { as: { tenantId: 'acme' } })
  await gateway.call('tasks_create', task)
  assert.equal((await gateway.call('tasks_claim', claim)).task.title, task.title)
})

test('hours may go over midnight', () => {
  const night = { from: 22, until: 6 }
  const at = (hour: number): Date => new Date(Date.UTC(2026, 0, 5, hour, 15))
  assert.deepEqual(
    [21, 22, 23, 0, 5, 6].map((hour) => inHours(at(hour), night)),
    [false, true, true, true, true, false],
  )
  assert.equal(nextOpening(at(6), night).toISOString(), '2026-01-05T22:00:00.000Z')
  assert.equal(nextOpening(at(20), { from: 6, until: 18 }).toISOString(), '2026-01-06T06:00:00.000Z')
})
