import { defineCollection } from '@gateway/sdk'
import { ringSchema } from '@gateway/sdk/ring'
import { StoredDelivery, StoredInbound, StoredWebhook } from './schema.ts'

/** A tenant has few of them, so finding the subscribers of an event reads them all. */
export const webhooks = defineCollection('webhooks', {
  schema: StoredWebhook,
  key: 'webhookId',
  indexes: [{ keys: { nextAt: 1 }, present: 'nextAt', acrossTenants: true }],
})

export const deliveries = defineCollection('webhooks.deliveries', {
  schema: StoredDelivery,
  key: 'deliveryId',
  indexes: [
    // The line, deliveries apart from it, and those that have ended.
    { keys: { webhookId: 1, place: 1 }, present: 'place' },
    { keys: { webhookId: 1, retryAt: 1 }, present: 'retryAt' },
    { keys: { webhookId: 1, endedAs: 1 }, present: 'endedAs' },
    { keys: { endedAt: 1 }, present: 'endedAt' },
    // For lists that people look at.
    { keys: { webhookId: 1, createdAt: -1 } },
    { keys: { webhookId: 1, state: 1, createdAt: -1 } },
  ],
})

export const inbound = defineCollection('webhooks.inbound', {
  schema: StoredInbound,
  key: 'inboundId',
  indexes: [
    { keys: { deliveryId: 1 }, unique: true },
    // Neither the delivery’s id nor its event is signed, so only the body identifies a repeated delivery.
    { keys: { bodyHash: 1 }, present: 'bodyHash', unique: true },
  ],
})

export const rings = defineCollection('webhooks.rings', { schema: ringSchema, key: 'ring' })
