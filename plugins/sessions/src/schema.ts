import { closed, type Infer, nonBlankText, plainLineText, Type } from '@gateway/sdk'

export const STATUSES = ['active', 'closed'] as const
export const ENDINGS = ['ended', 'crashed', 'silent'] as const
const ROLES = ['user', 'assistant'] as const
const MESSAGE_STATES = ['pending', 'answered', 'failed'] as const

export const MAX_CONTENT = 100_000
export const MAX_METADATA_BYTES = 8_192
/** Limit of one session, as JSON: with its surrounding fields it fits into an answer, so that every session can be exported. */
export const MAX_SESSION_BYTES = 3 * 1024 * 1024
export const MAX_MESSAGES = 2_000

export const sessionId = Type.String({
  minLength: 1,
  maxLength: 200,
  rule: { must: 'have no slashes, white space or control characters', matches: '^[^\\s/\\u0000-\\u001f\\u007f]+$' },
})
export const agentName = plainLineText(200)
export const content = nonBlankText(MAX_CONTENT)
export const metadata = Type.Record(Type.String(), Type.Unknown(), {
  description: `Notes for readers of the session: at most ${MAX_METADATA_BYTES} bytes as JSON, no key that begins with $ or contains a dot.`,
})
const time = Type.String({ maxLength: 40 })

const message = {
  messageId: Type.String({ minLength: 1, maxLength: 200 }),
  role: Type.Enum(ROLES),
  content: Type.String({ maxLength: MAX_SESSION_BYTES }),
  /** Present in a user's message: state of its answer. */
  state: Type.Optional(Type.Enum(MESSAGE_STATES)),
  error: Type.Optional(Type.String({ maxLength: 2_000, description: 'Reason it was not answered.' })),
  /** Message that an answer answers. */
  replyTo: Type.Optional(Type.String({ maxLength: 200 })),
  metadata: Type.Optional(metadata),
  createdAt: time,
}
export const Message = Type.Object(message, closed)
export type Message = Infer<typeof Message>

/** Keyed by its place in its session, so that a session can be imported twice without a conflict between its messages. */
export const StoredMessage = Type.Object({ place: Type.String(), sessionId: Type.String(), seq: Type.Integer(), ...message }, closed)
export type StoredMessage = Infer<typeof StoredMessage>

/** Facts about a session of an agent host, which its hooks report. */
const origin = {
  host: Type.Optional(Type.String({ maxLength: 100, description: 'Program that the agent runs in, for a session of a host.' })),
  repo: Type.Optional(Type.String({ maxLength: 1_000 })),
  branch: Type.Optional(Type.String({ maxLength: 100, description: 'Its branch of the brain.' })),
  machine: Type.Optional(Type.String({ maxLength: 200 })),
  principal: Type.Optional(Type.String({ maxLength: 300, description: 'Principal that reported it.' })),
  taskId: Type.Optional(Type.String({ maxLength: 200 })),
  ending: Type.Optional(Type.Enum(ENDINGS, { description: 'Reason it is closed: its host said so, or it was found dead or silent.' })),
}

const session = {
  sessionId: Type.String({ description: 'Prefix sess-; a session of a host has its own id.' }),
  agentName: Type.String(),
  status: Type.Enum(STATUSES),
  metadata: Type.Optional(metadata),
  createdAt: time,
  /** Time of the last message, or of closing. */
  updatedAt: time,
  closedAt: Type.Optional(time),
  ...origin,
}
/** `messages` and `bytes` are running totals: a limit is checked with the write, without counting. */
export const StoredSession = Type.Object(
  {
    ...session,
    messageCount: Type.Integer(),
    bytes: Type.Integer(),
    process: Type.Optional(Type.String()),
    /** Claim of the call that ends it. */
    endingUntil: Type.Optional(time),
  },
  closed,
)
export type StoredSession = Infer<typeof StoredSession>

const stamp = { tenantId: Type.String({ description: 'Tenant that owns it.' }) }
export const Summary = Type.Object({ ...session, ...stamp, messageCount: Type.Integer() }, closed)
export type Summary = Infer<typeof Summary>
export const Session = Type.Object({ ...session, ...stamp, messageCount: Type.Integer(), messages: Type.Array(Message) }, closed)
export type Session = Infer<typeof Session>

export const BUNDLE_VERSION = 1 as const
/**
 * Output of session_export and input of session_import. In a bundle of another gateway, tenant and counts have no meaning here.
 */
export const Bundle = Type.Object(
  {
    version: Type.Literal(BUNDLE_VERSION),
    exportedAt: time,
    session: Type.Object(
      {
        ...session,
        sessionId,
        agentName,
        tenantId: Type.Optional(Type.String({ maxLength: 200 })),
        messageCount: Type.Optional(Type.Integer({ minimum: 0 })),
        messages: Type.Array(Message, { maxItems: MAX_MESSAGES }),
      },
      closed,
    ),
  },
  { ...closed, description: 'Exactly as session_export returned it.' },
)
export type Bundle = Infer<typeof Bundle>
