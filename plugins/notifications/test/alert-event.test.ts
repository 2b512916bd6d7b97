import assert from 'node:assert/strict'
import { test } from 'node:test'
import outgoing from '@gateway/plugin-outgoing'
import { alertRaised, closed, contribute, definePlugin, defineTool, eventRecorder, type RecordedEvent, Type } from '@gateway/sdk'
import { startTestGateway } from '@gateway/testing'
import plugin from '../src/index.ts'
import { historyOf } from './support.ts'

test('an alert is told outside in the transaction that keeps it; a message is not', async () => {
  const recorded: RecordedEvent[] = []
  const family = definePlugin({
    id: 'family',
    sdk: '^1.0.0',
    description: 'Raises an alert, and remembers what is told outside.',
    tools: [
      defineTool({
        name: 'family_raise',
        description: 'Raise an alert. Returns nothing.',
        capability: 'work',
        effect: 'write',
        input: Type.Object({}, closed),
        output: Type.Object({}),
        uses: { alerts: alertRaised },
        async handle(_, { alerts }) {
          alerts.emit({ level: 'error', source: 'family', title: 'Fire', message: 'in the attic' })
          return {}
        },
      }),
    ],
    contributes: [contribute(eventRecorder, { create: () => ({ record: async (told) => void recorded.push(told) }) })],
  })
  await using gateway = await startTestGateway({ plugins: [outgoing, plugin, family] })
  await gateway.call('notifications_send', { message: 'hello' })
  await gateway.call('family_raise')
  const kept = await historyOf(gateway, 2, () => true)
  const [alert] = kept as unknown as { notificationId: string; createdAt: string }[]
  assert.deepEqual(recorded, [
    {
      eventId: recorded[0]?.eventId,
      event: 'notifications.alert',
      payload: {
        notificationId: alert?.notificationId,
        level: 'error',
        title: 'Fire',
        message: 'in the attic',
        source: 'family',
        createdAt: alert?.createdAt,
      },
    },
  ])
})
