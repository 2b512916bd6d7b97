import { closed, type Infer, rowLimit, Type } from '@gateway/sdk'

/** Stands in `events` of a webhook for every public event, those to come included. */
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
      { ...closed, description: 'Why the gateway disabled it; not set where someone did.' },
    ),
  ),
  waiting: Type.Integer({ description: 'Deliveries that are not over.' }),
  failures: Type.Integer({ description: 'Attempts in a row that failed.' }),
  failingSince: Type.Optional(Type.String()),
  lastDeliveredAt: Type.Optional(Type.String()),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  updatedBy: Type.String(),
}

/** A webhook as it is answered: without its secret. Times are ISO 8601 in UTC. */
export const Webhook = Type.Object(shown, closed)
export type Webhook = Infer<typeof Webhook>

/** A webhook as it is stored, and the line of its deliveries. */
export const StoredWebhook = Type.Object(
  {
    ...shown,
    loopback: Type.Boolean({ description: 'The receiver is on this machine.' }),
    secret: Type.String({ description: 'Sealed.' }),
    /** The last place in the line that was given to a delivery. */
    taken: Type.Integer(),
    /** How many deliveries have ended. */
    ended: Type.Integer(),
    /** When to look at the line again; set while anything waits and the webhook is enabled. */
    nextAt: Type.Optional(Type.String()),
    /** Who delivers; good until `nextAt`. */
    holder: Type.Optional(Type.String()),
  },
  closed,
)
export type StoredWebhook = Infer<typeof StoredWebhook>

const Attempt = Type.Object(
  {
    at: Type.String(),
    ms: Type.Integer({ description: 'How long it took.' }),
    status: Type.Optional(Type.Integer({ description: 'The HTTP status that was answered.' })),
    error: Type.Optional(Type.String({ description: 'What came in place of an answer, or the first of what a refusal said.' })),
  },
  closed,
)
export type Attempt = Infer<typeof Attempt>

const delivery = {
  deliveryId: Type.String({ description: 'Prefix delivery-; the same in every attempt and replay.' }),
  webhookId: Type.String(),
  event: Type.String(),
  eventId: Type.String({ description: 'Prefix event-; the same for every webhook that is told of it.' }),
  state: Type.Enum(STATES, { description: 'retrying: it has failed, and is tried again; failed: it was given up.' }),
  attempts: Type.Integer(),
  lastAttempts: Type.Array(Attempt, { description: 'The latest ten, oldest first.' }),
  replays: Type.Integer(),
  createdAt: Type.String(),
  endedAt: Type.Optional(Type.String()),
  retryAt: Type.Optional(Type.String({ description: 'When one that others overtake is tried again.' })),
}
/** A delivery as a list shows it. */
export const Delivery = Type.Object(delivery, closed)
export type Delivery = Infer<typeof Delivery>

/** A delivery as it is stored: it stands in the line, or apart until `retryAt`, or it has ended. */
export const StoredDelivery = Type.Object(
  {
    ...delivery,
    /** What is signed and sent, byte for byte. */
    body: Type.String(),
    firstFailedAt: Type.Optional(Type.String()),
    /** Its place in the line. */
    place: Type.Optional(Type.Integer()),
    /** How many of the webhook had ended with it. */
    endedAs: Type.Optional(Type.Integer()),
  },
  closed,
)
export type StoredDelivery = Infer<typeof StoredDelivery>

/** A webhook of code hosting as it was received. */
export const Inbound = Type.Object(
  {
    inboundId: Type.String({ description: 'Prefix inbound-; rises from one to the next.' }),
    deliveryId: Type.String({ description: 'As its sender calls it.' }),
    event: Type.String(),
    receivedAt: Type.String(),
    understood: Type.Boolean({ description: 'It is a push or a pull request, and families were told of it.' }),
    changed: Type.Array(Type.String(), { description: 'What they changed.' }),
    body: Type.String({ description: 'The first of it.' }),
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
  description: 'What deliveries are signed with.',
})
export const given = {
  url,
  events,
  description: Type.Optional(Type.String({ maxLength: 500, description: 'For people: what it is for.' })),
  secret: Type.Optional(secret),
  enabled: Type.Optional(Type.Boolean({ description: 'false: nothing is kept for it, and nothing is delivered.' })),
}
