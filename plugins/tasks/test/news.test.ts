import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin, eventRecorder, type RecordedEvent } from '@gateway/sdk'
import { claim, create, fail, start, update } from './support.ts'

const recorded: RecordedEvent[] = []
/** Plays a family that delivers public events to the outside. */
const recorder = definePlugin({
  id: 'recorder',
  sdk: '^1.0.0',
  description: 'Remembers.',
  contributes: [contribute(eventRecorder, { create: () => ({ record: async (told) => void recorded.push(told) }) })],
})
const begin = () => {
  recorded.length = 0
  return start({ plugins: [recorder] })
}
const told = () => recorded.map(({ event, payload }) => ({ event, ...payload }) as Record<string, unknown>)

test('a new task is told of, without its description and notes', async () => {
  await using gateway = await begin()
  const task = await create(gateway, { title: 'Ship it', description: 'secret plans', notes: 'more of them' })
  const { taskId, createdAt } = task
  assert.deepEqual(told(), [
    { event: 'tasks.created', taskId, repo: 'web', title: 'Ship it', priority: 'P2', status: 'pending', createdAt },
  ])
})

test('each change of status is told once, with the one before; other changes and claims are not', async () => {
  await using gateway = await begin()
  const task = await create(gateway)
  await update(gateway, task, { notes: 'looking at it' })
  await claim(gateway)
  await fail(gateway, task)
  await update(gateway, task, { status: 'done', prUrl: 'https://code.example/pull/1' })
  assert.deepEqual(
    told()
      .slice(1)
      .map(({ event, before, status, lastError, prUrl }) => ({ event, before, status, lastError, prUrl })),
    [
      { event: 'tasks.moved', before: 'working', status: 'pending', lastError: 'it broke', prUrl: undefined },
      { event: 'tasks.moved', before: 'pending', status: 'done', lastError: 'it broke', prUrl: 'https://code.example/pull/1' },
    ],
  )
})
