import { closed, type Infer, Type } from '@gateway/sdk'

export const MAX_BODY_LENGTH = 65_536

/** A message as stored and returned by every tool. Times are ISO 8601 in UTC. */
export const messageSchema = Type.Object(
  {
    messageId: Type.String({ description: 'Prefix mail-.' }),
    to: Type.String(),
    from: Type.String(),
    fromPrincipal: Type.Optional(Type.String({ description: 'Principal that sent it: `key <label>`, `user <id>`, operator, system.' })),
    kind: Type.String({ description: 'A free label; known ones are note, request, result, live-note, swarm.' }),
    subject: Type.String(),
    body: Type.String(),
    replyTo: Type.Optional(Type.String({ description: 'messageId that this one answers.' })),
    swarmId: Type.Optional(Type.String()),
    createdAt: Type.String(),
    acked: Type.Boolean(),
    ackedBy: Type.Optional(Type.String()),
    ackedByPrincipal: Type.Optional(Type.String()),
    ackedAt: Type.Optional(Type.String()),
    actionable: Type.Optional(Type.Boolean({ description: 'true for a request from another sender that nobody has taken on or acked.' })),
  },
  closed,
)
export type Message = Infer<typeof messageSchema>
