import type { Delivery, StoredDelivery, StoredWebhook, Webhook } from '../schema.ts'

/** Without its secret and what the gateway keeps for itself. */
export function shownWebhook({
  secret: _secret,
  loopback: _loopback,
  taken: _taken,
  ended: _ended,
  nextAt: _nextAt,
  holder: _holder,
  ...webhook
}: StoredWebhook): Webhook {
  return webhook
}

export function shownDelivery({
  body: _body,
  firstFailedAt: _firstFailedAt,
  place: _place,
  endedAs: _endedAs,
  ...delivery
}: StoredDelivery): Delivery {
  return delivery
}
