import { closed, type Infer, rowLimit, Type } from '@gateway/sdk'

/** Value of `events` of a webhook for every public event, including future ones. */
export const ALL_EVENTS = '*'
const DISABLED_REASONS = ['unreachable', 'gone', 'backlog', 'secret'] as const
export const STATES = ['waiting', 'retrying', 'delivered', 'failed'] as const

const shown = {
  webhookId: Type.String({ description: 'Prefix webhook-.' }),
  url: Type.String(),
  events: Type.Array(Type.String(), { description: 'Ids of public events; * is every one.' }),
  description: Type.Optional(Type.String()),
  enabled: Type.Boolean(),
  disabled: Type.Optional(
    Type.Object(
      { reason: Type.Enum(DISABLED_REASONS), message: Type.String(), at: Type.String() },
      { ...closed, description: 'Reason the gateway disabled it; absent if a person did.' },
    ),
  ),
  waiting: Type.Integer({ description: 'Deliveries that have not ended.' }),
  failures: Type.Integer({ description: 'Consecutive failed attempts.' }),
  failingSince: Type.Optional(Type.String()),
  lastDeliveredAt: Type.Optional(Type.String()),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  updatedBy: Type.String(),
}

/** A webhook as it is answered: without its secret. Times are ISO 8601 in UTC. */
export const Webhook = Type.Object(shown, closed)
export type Webhook = Infer<typeof Webhook>

export const StoredWebhook = Type.Object(
  {
    ...shown,
    loopback: Type.Boolean({ description: 'The receiver is on this machine.' }),
    secret: Type.String({ description: 'Sealed.' }),
    /** The last place in the line that was given to a delivery. */
    taken: Type.Integer(),
    /** Number of deliveries that have ended. */
    ended: Type.Integer(),
    /** Time of the next look at the queue; set while a delivery waits and the webhook is enabled. */
    nextAt: Type.Optional(Type.String()),
    /** Node that delivers; valid until `nextAt`. */
    holder: Type.Optional(Type.String()),
  },
  closed,
)
export type StoredWebhook = Infer<typeof StoredWebhook>

const Attempt = Type.Object(
  {
    at: Type.String(),
    ms: Type.Integer({ description: 'Duration of the attempt.' }),
    status: Type.Optional(Type.Integer({ description: 'HTTP status of the response.' })),
    error: Type.Optional(Type.String({ description: 'Error instead of a response, or the beginning of a refusal’s body.' })),
  },
  closed,
)
export type Attempt = Infer<typeof Attempt>

const delivery = {
  deliveryId: Type.String({ description: 'Prefix delivery-; the same in every attempt and replay.' }),
  webhookId: Type.String(),
  event: Type.String(),
  eventId: Type.String({ description: 'Prefix event-; the same for every webhook that receives it.' }),
  state: Type.Enum(STATES, { description: 'retrying: it failed and will be attempted again; failed: it was given up.' }),
  attempts: Type.Integer(),
  lastAttempts: Type.Array(Attempt, { description: 'The latest ten, oldest first.' }),
  replays: Type.Integer(),
  createdAt: Type.String(),
  endedAt: Type.Optional(Type.String()),
  retryAt: Type.Optional(Type.String({ description: 'Time of the next attempt, if other deliveries go first.' })),
}
export const Delivery = Type.Object(delivery, closed)
export type Delivery = Infer<typeof Delivery>

/** A delivery as it is stored: in the queue of its webhook, outside of it until `retryAt`, or ended. */
export const StoredDelivery = Type.Object(
  {
    ...delivery,
    /** Bytes that are signed and sent, unchanged. */
    body: Type.String(),
    firstFailedAt: Type.Optional(Type.String()),
    /** Its place in the line. */
    place: Type.Optional(Type.Integer()),
    /** Number of ended deliveries of the webhook, this one included. */
    endedAs: Type.Optional(Type.Integer()),
  },
  closed,
)
export type StoredDelivery = Infer<typeof StoredDelivery>

export const Inbound = Type.Object(
  {
    inboundId: Type.String({ description: 'Prefix inbound-; ids rise in order of creation.' }),
    deliveryId: Type.String({ description: 'Id given by the sender.' }),
    event: Type.String(),
    receivedAt: Type.String(),
    understood: Type.Boolean({ description: 'A push or a pull request, which families processed.' }),
    changed: Type.Array(Type.String(), { description: 'Records that families changed.' }),
    body: Type.String({ description: 'Beginning of the body.' }),
  },
  closed,
)
export type Inbound = Infer<typeof Inbound>

/** `bodyHash`: SHA-256 of the body as it came, which is what is signed; absent of those kept by an earlier version. */
export const StoredInbound = Type.Object({ ...Inbound.properties, bodyHash: Type.Optional(Type.String()) }, closed)
export type StoredInbound = Infer<typeof StoredInbound>

export const webhookId = Type.String({ minLength: 1, maxLength: 100, description: 'Prefix webhook-.' })
export const deliveryId = Type.String({ minLength: 1, maxLength: 100, description: 'Prefix delivery-.' })
export const ROWS = rowLimit(50, 200)
const url = Type.String({ minLength: 1, maxLength: 2_000, description: 'https://host/path, on the open internet.' })
const events = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  minItems: 1,
  maxItems: 100,
  description: 'Ids of public events, as GET /api/webhooks/events lists them; * is every one.',
})
const secret = Type.String({
  minLength: 16,
  maxLength: 200,
  secret: true,
  description: 'Secret that signs deliveries.',
})
export const given = {
  url,
  events,
  description: Type.Optional(Type.String({ maxLength: 500, description: 'Purpose, for people.' })),
  secret: Type.Optional(secret),
  enabled: Type.Optional(Type.Boolean({ description: 'false: no deliveries are stored or sent.' })),
}
