import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contribute, definePlugin, eventRecorder, type RecordedEvent } from '@gateway/sdk'
import { at, create, runNow, start, target } from './support.ts'

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

test('a run of a schedule is told with its outcome', async () => {
  const { plugin } = target()
  await using gateway = await start({ plugins: [plugin, recorder] })
  const good = await create(gateway, { name: 'Good', message: '{"text":"hello"}' })
  const bad = await create(gateway, { name: 'Bad', message: '{"text":"fail"}' })
  await runNow(gateway, good)
  await runNow(gateway, bad)
  const [first, second] = told('schedules.')
  const { runId, error: _none, ...rest } = first as Record<string, unknown>
  assert.match(String(runId), /^run-/)
  const times = { startedAt: at('09:00'), endedAt: at('09:00') }
  assert.deepEqual(rest, {
    event: 'schedules.ran',
    scheduleId: good.scheduleId,
    name: 'Good',
    kind: 'tool',
    target: 'ring',
    ...times,
    status: 'success',
  })
  assert.deepEqual([second?.status, typeof second?.error], ['error', 'string'])
})
