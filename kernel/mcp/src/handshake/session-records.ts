import { type ClientAbility, closed, defineCollection, type Infer, logLevels, Type } from '@gateway/sdk'

const abilities = [
  'elicitation',
  'elicitation.url',
  'sampling',
  'sampling.tools',
  'roots',
  'tasks',
] as const satisfies readonly ClientAbility[]

const schema = Type.Object(
  {
    sessionId: Type.String(),
    /** Id of the principal that opened it; for anyone else in the tenant the session does not exist. */
    owner: Type.String(),
    /** Protocol revision. */
    version: Type.String(),
    abilities: Type.Array(Type.Enum(abilities)),
    /** Name that the client reports. */
    clientName: Type.Optional(Type.String()),
    logLevel: Type.Optional(Type.Enum(logLevels)),
    /** URIs of the resources it subscribed to. */
    subscriptions: Type.Array(Type.String()),
    expiresAt: Type.String(),
  },
  closed,
)
export type SessionRecord = Infer<typeof schema>

/**
 * State of a session on any node and after a restart, in the tenant of its caller. Streams and running calls belong to one
 * process.
 */
export const sessionRecords = defineCollection('gateway.mcp-sessions', {
  schema,
  key: 'sessionId',
  indexes: [{ keys: { expiresAt: 1 }, expireAfterSeconds: 0 }],
})
