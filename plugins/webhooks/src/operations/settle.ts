import { atomically, now, type Resolved, type Transaction, type Update } from '@gateway/sdk'
import type { Next } from '../rules/after-attempt.ts'
import type { StoredDelivery, StoredWebhook } from '../schema.ts'
import { disable } from './disable.ts'
import { enqueueUses } from './enqueue.ts'

export const settleUses = { ...enqueueUses, atomically }
type Refs = Resolved<typeof settleUses>

const MARGIN_SECONDS = 15
/** A sender renews its hold within this time: the line of a killed process is then free. */
export const holdSeconds = ({ timeoutSeconds }: Refs['config']): number => timeoutSeconds + MARGIN_SECONDS

/** Records the outcome of an attempt. Returns the webhook if its line continues with this holder, otherwise `undefined`. */
export function settle(
  refs: Refs,
  { webhookId, holder }: StoredWebhook,
  { deliveryId }: StoredDelivery,
  next: Next,
): Promise<StoredWebhook | undefined> {
  return refs.atomically(async (tx) => {
    const webhook = await refs.webhooks.in(tx).get(webhookId)
    // Removed, disabled, or taken over by another: the delivery is sent again.
    if (!webhook || webhook.holder !== holder) return undefined
    const hasEnded = next.fate === 'delivered' || next.fate === 'given-up'
    const endedAs = webhook.ended + 1
    await refs.deliveries.in(tx).updateOne(deliveryId, deliveryUpdate(next, endedAs, tx))
    if (hasEnded) await refs.deliveries.in(tx).deleteMany({ webhookId, endedAs: { lte: endedAs - refs.config.kept } })
    const after = await refs.webhooks.in(tx).updateOne(webhookId, webhookUpdate(next, hasEnded, holdSeconds(refs.config), tx))
    if (next.disable) {
      await disable(refs, after ?? webhook, next.disable, sentence(next, refs.config.giveUpAfterHours), tx)
      return undefined
    }
    return next.cooldownSeconds > 0 ? undefined : after
  })
}

function deliveryUpdate(
  { fate, attempts, lastAttempts, firstFailedAt, retryAt }: Next,
  endedAs: number,
  tx: Transaction,
): Update<StoredDelivery> {
  const set = { attempts, lastAttempts: [...lastAttempts], firstFailedAt }
  if (fate === 'in-line') return { set: { ...set, state: 'retrying' } }
  if (fate === 'apart') return { set: { ...set, state: 'retrying', retryAt }, unset: ['place'] }
  const state = fate === 'delivered' ? 'delivered' : 'failed'
  return { set: { ...set, state, endedAs, endedAt: tx.now.toISOString() }, unset: ['place', 'retryAt'] }
}

function webhookUpdate(
  { fate, failures, failingSince, cooldownSeconds }: Next,
  hasEnded: boolean,
  hold: number,
  tx: Transaction,
): Update<StoredWebhook> {
  const isHeld = cooldownSeconds === 0
  const unset: ('failingSince' | 'holder')[] = [
    ...(failingSince === undefined ? ['failingSince' as const] : []),
    ...(isHeld ? [] : ['holder' as const]),
  ]
  return {
    set: {
      failures,
      failingSince,
      nextAt: now(isHeld ? hold : cooldownSeconds),
      ...(fate === 'delivered' && { lastDeliveredAt: tx.now.toISOString() }),
    },
    ...(hasEnded && { inc: { ended: 1, waiting: -1 } }),
    ...(unset.length > 0 && { unset }),
  }
}

const sentence = ({ disable, failures }: Next, hours: number): string =>
  disable === 'gone' ? 'it answered 410 Gone.' : `it has taken nothing for ${hours} hours, in ${failures} attempts.`
