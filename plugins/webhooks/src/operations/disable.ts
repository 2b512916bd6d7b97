import { alertRaised, type Resolved, type Transaction } from '@gateway/sdk'
import { webhooks } from '../collections.ts'
import type { StoredWebhook } from '../schema.ts'

export const disableUses = { webhooks, alerts: alertRaised }
type Reason = NonNullable<StoredWebhook['disabled']>['reason']

/**
 * Stops deliveries to a receiver and raises an alert. Waiting deliveries are kept, and sent when somebody enables the webhook
 * again.
 */
export async function disable(
  { webhooks, alerts }: Resolved<typeof disableUses>,
  { webhookId, url, waiting }: Pick<StoredWebhook, 'webhookId' | 'url' | 'waiting'>,
  reason: Reason,
  message: string,
  tx: Transaction,
): Promise<void> {
  const disabled = { reason, message, at: tx.now.toISOString() }
  await webhooks.in(tx).updateOne(webhookId, { set: { enabled: false, disabled }, unset: ['nextAt', 'holder'] })
  tx.afterCommit(() =>
    alerts.emit({
      level: 'error',
      source: 'webhooks.disabled',
      title: 'A webhook was disabled',
      // The rest of a URL may be secret.
      message: `${webhookId} to ${new URL(url).origin}: ${message} ${waiting} deliveries wait; PATCH /api/webhooks/${webhookId} {"enabled": true} sends them.`,
    }),
  )
}
