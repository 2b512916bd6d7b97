import { type Collection, NotFound } from '@gateway/sdk'
import type { StoredDelivery, StoredWebhook } from '../schema.ts'

export async function findWebhook(webhooks: Collection<StoredWebhook>, webhookId: string): Promise<StoredWebhook> {
  const webhook = await webhooks.get(webhookId)
  if (!webhook) throw NotFound({ what: 'webhook', id: webhookId })
  return webhook
}

export async function findDelivery(
  deliveries: Collection<StoredDelivery>,
  { webhookId, deliveryId }: { readonly webhookId: string; readonly deliveryId: string },
): Promise<StoredDelivery> {
  const delivery = await deliveries.get(deliveryId)
  if (delivery?.webhookId !== webhookId) throw NotFound({ what: 'delivery', id: deliveryId })
  return delivery
}
