import { closed, defineRawRoute, Type, Unavailable } from '@gateway/sdk'
import { WebhookSignatureInvalid, WebhookTooLarge } from '../errors.ts'
import { readBody } from '../operations/read-body.ts'
import { receive as receiveOne, receiveUses, secretOf } from '../operations/receive.ts'
import { slots } from '../services/slots.ts'

/** A sender without a body by then has not begun to sign it. */
const BODY_MS = 10_000
const IDLE_MS = 10_000
const AGAIN_SECONDS = 5

const Received = Type.Object(
  {
    deliveryId: Type.String(),
    duplicate: Type.Boolean({ description: 'The delivery was received before and changed nothing this time.' }),
    understood: Type.Boolean({ description: 'Families use events of this kind.' }),
    changed: Type.Array(Type.String(), { description: 'Records that families changed.' }),
  },
  closed,
)

export const receive = defineRawRoute({
  name: 'webhooks.receive',
  description:
    'Receives a webhook of code hosting, signed with CODE_HOSTING_WEBHOOK_SECRET. Returns 202 once it is stored and families have processed it.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/webhooks/inbound/code-hosting',
  idleMs: IDLE_MS,
  credential: 'signed',
  input: Type.Object({}, closed),
  http: {
    headers: {
      'x-webhook-signature-256': {
        description:
          '`sha256=` and the HMAC-SHA256 of the body with the secret, in hex. `x-hub-signature-256`, and the secret itself as `x-gitlab-token`, are accepted as well.',
      },
      'x-webhook-event': {
        description: 'The kind of event: `push`, `pull_request` or another. `x-github-event` and `x-gitlab-event` are accepted as well.',
      },
      'x-webhook-delivery': {
        description:
          'Id of the delivery; a repeated delivery changes nothing. `x-github-delivery`, `idempotency-key` and `x-gitlab-event-uuid` are accepted as well.',
      },
    },
    body: { 'application/json': Type.Object({}, { additionalProperties: true, description: 'The event as the code host sends it.' }) },
    answer: { status: 202, description: 'The webhook is stored.', content: { 'application/json': Received } },
  },
  errors: [WebhookSignatureInvalid, WebhookTooLarge],
  uses: { ...receiveUses, slots },
  async handle(_, { slots, ...refs }, ctx, { headers, body, answer }) {
    secretOf(refs.config)
    const received = await slots.receive(async () => {
      const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(BODY_MS)])
      const bytes = await readBody(body, refs.config.maxInboundBytes, signal)
      // Large code hosts use their own names for the same headers.
      const header = (...names: string[]) =>
        names.map((name) => headers[name]).find((value) => typeof value === 'string') as string | undefined
      return receiveOne(
        refs,
        {
          signature: header('x-webhook-signature-256', 'x-hub-signature-256'),
          token: header('x-gitlab-token'),
          event: header('x-webhook-event', 'x-github-event') ?? header('x-gitlab-event')?.replaceAll(' ', '_'),
          deliveryId: header('x-webhook-delivery', 'x-github-delivery', 'idempotency-key', 'x-gitlab-event-uuid'),
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
