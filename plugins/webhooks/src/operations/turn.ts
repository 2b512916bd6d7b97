import { type CallContext, now, type Resolved } from '@gateway/sdk'
import { afterAttempt } from '../rules/after-attempt.ts'
import type { StoredDelivery, StoredWebhook } from '../schema.ts'
import { attempt, attemptUses } from './attempt.ts'
import { disable } from './disable.ts'
import { holdSeconds, settle, settleUses } from './settle.ts'

export const turnUses = { ...attemptUses, ...settleUses }
type Refs = Resolved<typeof turnUses>

/** Limit of one turn; then the slot goes to another webhook. */
const PER_TURN = 100

/** Delivers the events of one receiver, one after the other, until none waits, one fails, or other webhooks want their turn. */
export async function takeTurn(refs: Refs, webhookId: string, ctx: CallContext): Promise<number> {
  const take = { set: { holder: ctx.newId('turn-'), nextAt: now(holdSeconds(refs.config)) } }
  let webhook = await refs.webhooks.updateOne(webhookId, take, { enabled: true, nextAt: { lte: now() } })
  let sent = 0
  while (webhook && sent < PER_TURN && !ctx.signal.aborted) {
    const delivery = await nextDelivery(refs, webhookId)
    if (!delivery) break
    const result = await attempt(refs, webhook, delivery, ctx)
    if (!result.attempted) {
      await givenBack(refs, webhook, result)
      return sent
    }
    sent++
    const next = afterAttempt(webhook, delivery, result.attempted, ctx.now(), refs.config.giveUpAfterHours)
    webhook = await settle(refs, webhook, delivery, next)
  }
  if (webhook) await givenBack(refs, webhook, { not: 'stopped' })
  return sent
}

/** A due delivery apart from the line, otherwise the head of the line. */
async function nextDelivery({ deliveries }: Pick<Refs, 'deliveries'>, webhookId: string): Promise<StoredDelivery | undefined> {
  const due = await deliveries.find({ where: { webhookId, retryAt: { lte: now() } }, sort: { retryAt: 1 }, limit: 1 })
  return due.items[0] ?? (await headOf(deliveries, webhookId))
}

async function headOf(deliveries: Refs['deliveries'], webhookId: string): Promise<StoredDelivery | undefined> {
  return (await deliveries.find({ where: { webhookId, place: { exists: true } }, sort: { place: 1 }, limit: 1 })).items[0]
}

type NotSent = { readonly not: 'stopped' | 'secret' } | { readonly not: 'busy'; readonly seconds: number }

/** Releases a line: it continues when there is something to do. */
function givenBack(refs: Refs, { webhookId, holder }: StoredWebhook, why: NotSent): Promise<void> {
  return refs.atomically(async (tx) => {
    const webhook = await refs.webhooks.in(tx).get(webhookId)
    if (!webhook || webhook.holder !== holder) return
    if (why.not === 'secret') {
      const message = 'its secret was sealed with another hash key; give it a new one.'
      return disable(refs, webhook, 'secret', message, tx)
    }
    // Within the transaction: a delivery added from now on finds no time and sets one.
    const deliveries = refs.deliveries.in(tx)
    const apart = await deliveries.find({ where: { webhookId, retryAt: { exists: true } }, sort: { retryAt: 1 }, limit: 1 })
    const soonest = (await headOf(deliveries, webhookId)) ? tx.now.toISOString() : apart.items[0]?.retryAt
    if (soonest === undefined) await refs.webhooks.in(tx).updateOne(webhookId, { unset: ['nextAt', 'holder'] })
    else {
      const nextAt = why.not === 'busy' ? now(why.seconds) : soonest
      await refs.webhooks.in(tx).updateOne(webhookId, { set: { nextAt }, unset: ['holder'] })
    }
  })
}
