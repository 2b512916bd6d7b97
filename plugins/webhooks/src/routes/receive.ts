import { closed, defineRawRoute, Type, Unavailable } from '@gateway/sdk'
import { WebhookSignatureInvalid, WebhookTooLarge } from '../errors.ts'
import { readBody } from '../operations/read-body.ts'
import { receive as receiveOne, receiveUses, secretOf } from '../operations/receive.ts'
import { slots } from '../services/slots.ts'

/** Whoever has not sent a body by then has not begun to sign it. */
const BODY_MS = 10_000
const IDLE_MS = 10_000
const AGAIN_SECONDS = 5

export const receive = defineRawRoute({
  name: 'webhooks.receive',
  description:
    'Takes a webhook of code hosting, signed with CODE_HOSTING_WEBHOOK_SECRET. Returns 202 once it is kept and families have made use of it.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/webhooks/inbound/code-hosting',
  idleMs: IDLE_MS,
  credential: 'signed',
  input: Type.Object({}, closed),
  errors: [WebhookSignatureInvalid, WebhookTooLarge],
  uses: { ...receiveUses, slots },
  async handle(_, { slots, ...refs }, ctx, { headers, body, answer }) {
    secretOf(refs.config)
    const received = await slots.receive(async () => {
      const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(BODY_MS)])
      const bytes = await readBody(body, refs.config.maxInboundBytes, signal)
      // The large code hosts have names of their own for the same headers.
      const header = (...names: string[]) =>
        names.map((name) => headers[name]).find((value) => typeof value === 'string') as string | undefined
      return receiveOne(
        refs,
        {
          signature: header('x-webhook-signature-256', 'x-hub-signature-256'),
          event: header('x-webhook-event', 'x-github-event'),
          deliveryId: header('x-webhook-delivery', 'x-github-delivery'),
          contentType: header('content-type'),
          body: bytes,
        },
        ctx,
      )
    })
    if (!received) throw Unavailable({ message: 'Too many webhooks are being received; send it again.', retryAfterSeconds: AGAIN_SECONDS })
    answer(202, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(received))
  },
})
