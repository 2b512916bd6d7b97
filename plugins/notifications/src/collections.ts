import { closed, defineCollection, Type } from '@gateway/sdk'
import { alertStateSchema } from '@gateway/sdk/alerting'
import { ringSchema } from '@gateway/sdk/ring'
import { notificationSchema } from './schema.ts'

export const history = defineCollection('notifications', {
  schema: notificationSchema,
  key: 'notificationId',
  indexes: [{ keys: { nextTryAt: 1 }, present: 'nextTryAt', acrossTenants: true }],
})

export const rings = defineCollection('notifications.rings', { schema: ringSchema, key: 'ring' })

/** Items of the attention queue that are watched for alerts, and those that left it within the window. */
export const attention = defineCollection('notifications.attention', {
  schema: Type.Object(
    {
      itemId: Type.String({ description: 'Kind and id of the item.' }),
      kind: Type.String(),
      since: Type.String({ description: 'Time since which it waits.' }),
      goneAt: Type.Optional(Type.String()),
      alert: Type.Optional(alertStateSchema),
    },
    closed,
  ),
  key: 'itemId',
  indexes: [{ keys: { kind: 1 } }],
})
