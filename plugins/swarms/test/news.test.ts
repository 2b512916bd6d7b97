import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin, eventRecorder, type RecordedEvent } from '@gateway/sdk'
import swarms from '../src/index.ts'
import { plan, start } from './support.ts'

const recorded: RecordedEvent[] = []
/** Plays a family that delivers public events to the outside. */
const recorder = definePlugin({
  id: 'recorder',
  sdk: '^1.0.0',
  description: 'Remembers.',
  contributes: [contribute(eventRecorder, { create: () => ({ record: async (told) => void recorded.push(told) }) })],
})
const told = (family: string) =>
  recorded.filter(({ event }) => event.startsWith(family)).map(({ event, payload }) => ({ event, ...payload }) as Record<string, unknown>)

test('a swarm tells that it is planned, approved, stopped, and paused by its budget', async () => {
  await using gateway = await start({ plugins: [swarms, recorder] })
  const { swarm, children } = await plan(gateway)
  const { swarmId } = swarm
  await gateway.call('swarm_approve', { swarmId, approvedBy: 'ann' })
  await gateway.call('swarm_stop', { swarmId, stoppedBy: 'bob', reason: 'enough' })
  await gateway.call('swarm_stop', { swarmId, stoppedBy: 'bob' })
  await gateway.call('swarm_update_budget', { swarmId, tokenBudget: 10 })
  await gateway.call('swarm_approve', { swarmId, approvedBy: 'ann' })
  await gateway.call('tasks_update', { taskId: children[0]?.taskId, outputTokens: 10 })
  const about = { swarmId, repo: 'web', goal: 'Ship it', childCount: 2, at: undefined }
  const news = told('swarms.')
  const times = news.map(({ at }) => String(at))
  assert.deepEqual(times, [...times].sort(), 'in the order of the changes')
  const untimed = news.map((one) => ({ ...one, at: undefined }))
  assert.deepEqual(untimed, [
    { event: 'swarms.planned', ...about, status: 'paused', plannedBy: 'director' },
    { event: 'swarms.approved', ...about, status: 'active', approvedBy: 'ann' },
    { event: 'swarms.stopped', ...about, status: 'stopped', by: 'caller', stoppedBy: 'bob', reason: 'enough' },
    { event: 'swarms.approved', ...about, status: 'active', approvedBy: 'ann' },
    { event: 'swarms.stopped', ...about, status: 'paused', by: 'budget' },
  ])
})
