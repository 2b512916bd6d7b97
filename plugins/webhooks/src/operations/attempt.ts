import { OutgoingBusy, type OutgoingResponse, outgoing } from '@gateway/plugin-outgoing/api'
import { type CallContext, cutText, isToolError, type Resolved, readRetryAfter } from '@gateway/sdk'
import { redactText } from '@gateway/sdk/redact'
import { config } from '../config.ts'
import type { Attempted } from '../rules/after-attempt.ts'
import type { StoredDelivery, StoredWebhook } from '../schema.ts'
import { secretSeal } from './secret.ts'

export const attemptUses = { outgoing, config, seal: secretSeal }

/** Outcome of an attempt; or the reason why there was none. */
export type AttemptResult =
  | { readonly attempted: Attempted }
  | { readonly attempted?: never; readonly not: 'stopped' | 'secret' }
  | { readonly attempted?: never; readonly not: 'busy'; readonly seconds: number }

/** Enough to read an answer completely, so that its connection can be reused. */
const MAX_ANSWER_BYTES = 65_536
const MAX_REASON = 300
const GONE = 410

/** Sends one delivery once. Only a status of 200 to 299 means that it was accepted; redirects are not followed. */
export async function attempt(
  { outgoing, config, seal }: Resolved<typeof attemptUses>,
  { url, loopback, webhookId, secret }: StoredWebhook,
  { deliveryId, event, body, attempts }: StoredDelivery,
  ctx: CallContext,
): Promise<AttemptResult> {
  const key = seal.open(secret, webhookId)
  if (key === undefined) return { not: 'secret' }
  const at = ctx.now().toISOString()
  const began = performance.now()
  const totalMs = config.timeoutSeconds * 1_000
  const tried = (more: Omit<Attempted, 'at' | 'ms'>): AttemptResult => ({
    attempted: { at, ms: Math.round(performance.now() - began), ...more },
  })
  try {
    const response = await outgoing.open(
      {
        url,
        reach: loopback ? 'loopback' : 'public',
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'gateway-webhooks',
          'x-webhook-event': event,
          'x-webhook-delivery': deliveryId,
          'x-webhook-attempt': String(attempts + 1),
        },
        signature: { key, as: 'webhook' },
        timeouts: { connectMs: Math.min(totalMs, 10_000), firstByteMs: totalMs, idleMs: totalMs, totalMs },
        maxResponseBytes: MAX_ANSWER_BYTES,
        // The line of the webhook is its breaker.
        breaker: false,
      },
      ctx,
    )
    const { status, headers } = response
    const said = await textOf(response)
    if (status >= 200 && status < 300) return tried({ delivered: true, status })
    const askedMs = readRetryAfter(headers['retry-after'], ctx.now().getTime())
    return tried({
      delivered: false,
      status,
      ...(said !== '' && { error: cutText(redactText(said), MAX_REASON) }),
      ...(status === GONE && { gone: true }),
      ...(askedMs !== undefined && { retryAfter: Math.ceil(askedMs / 1_000) }),
    })
  } catch (error) {
    if (ctx.signal.aborted) return { not: 'stopped' }
    if (!isToolError(error)) throw error
    if (error.code === OutgoingBusy.code)
      return { not: 'busy', seconds: (error.details as { retryAfterSeconds: number }).retryAfterSeconds }
    return tried({ delivered: false, error: cutText(redactText(error.message), MAX_REASON) })
  }
}

/** A receiver that has sent its status has answered: the rest of the answer changes nothing. */
async function textOf(response: OutgoingResponse): Promise<string> {
  try {
    return (await response.bytes()).toString('utf8').trim()
  } catch {
    return ''
  }
}
