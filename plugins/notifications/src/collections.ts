import { defineCollection } from '@gateway/sdk'
import { ringSchema } from '@gateway/sdk/ring'
import { notificationSchema } from './schema.ts'

export const history = defineCollection('notifications', {
  schema: notificationSchema,
  key: 'notificationId',
  indexes: [{ keys: { nextTryAt: 1 }, present: 'nextTryAt', acrossTenants: true }],
})

export const rings = defineCollection('notifications.rings', { schema: ringSchema, key: 'ring' })
