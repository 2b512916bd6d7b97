import { type CallContext, now, type RecordedEvent, type Resolved, type Transaction } from '@gateway/sdk'
import { deliveries } from '../collections.ts'
import { config } from '../config.ts'
import { deliveryBody } from '../rules/body.ts'
import type { StoredDelivery, StoredWebhook } from '../schema.ts'
import { disable, disableUses } from './disable.ts'

export const enqueueUses = { ...disableUses, deliveries, config }
type Refs = Resolved<typeof enqueueUses>

/** Adds one event to the lines of webhooks, in the transaction of its change. */
export async function enqueue(
  refs: Refs,
  to: readonly StoredWebhook[],
  { eventId, event, payload }: RecordedEvent,
  tx: Transaction,
  ctx: CallContext,
): Promise<readonly StoredDelivery[]> {
  const body = deliveryBody({ id: eventId, event, at: tx.now, tenantId: ctx.tenantId, data: payload }, refs.config.maxPayloadBytes)
  const delivery = { event, eventId, body, state: 'waiting', attempts: 0, replays: 0 } as const
  const kept: StoredDelivery[] = []
  for (const webhook of to) {
    const deliveryId = ctx.newId('delivery-')
    const { webhookId } = webhook
    const place = await takePlace(refs, webhook, tx)
    kept.push(
      await refs.deliveries.in(tx).insert({ deliveryId, webhookId, ...delivery, lastAttempts: [], createdAt: tx.now.toISOString(), place }),
    )
  }
  return kept
}

/** Takes the last place in the line of a webhook. */
export async function takePlace(refs: Refs, webhook: StoredWebhook, tx: Transaction): Promise<number> {
  const { webhookId, taken, waiting, nextAt, enabled } = webhook
  // A line that pauses after a failure, or that is being worked on, continues as planned.
  const begin = enabled && nextAt === undefined && { set: { nextAt: now() } }
  await refs.webhooks.in(tx).updateOne(webhookId, { inc: { taken: 1, waiting: 1 }, ...begin })
  if (waiting + 1 > refs.config.maxWaiting)
    await disable(refs, { ...webhook, waiting: waiting + 1 }, 'backlog', `more than ${refs.config.maxWaiting} deliveries wait for it.`, tx)
  return taken + 1
}
