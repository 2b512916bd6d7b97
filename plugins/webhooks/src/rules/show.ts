import type { Delivery, StoredDelivery, StoredWebhook, Webhook } from '../schema.ts'

/** Without its secret and what the gateway keeps for itself. */
export function shownWebhook({ secret, loopback, taken, ended, nextAt, holder, ...webhook }: StoredWebhook): Webhook {
  return webhook
}

export function shownDelivery({ body, firstFailedAt, place, endedAs, ...delivery }: StoredDelivery): Delivery {
  return delivery
}
