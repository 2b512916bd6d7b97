import { closed, type Infer, Type } from '@gateway/sdk'

export const LEVELS = ['info', 'warning', 'error', 'critical'] as const
const KINDS = ['message', 'test', 'alert'] as const

export interface Note {
  readonly title?: string | undefined
  readonly message: string
  readonly level: (typeof LEVELS)[number]
  readonly source?: string | undefined
}

export type ComposedNote = Pick<Notification, 'title' | 'message' | 'level' | 'source'>

const resultSchema = Type.Object(
  {
    channel: Type.String(),
    status: Type.Enum(['sent', 'failed']),
    error: Type.Optional(Type.String({ description: 'Reason for the failure, and the remedy.' })),
    /** True if it may work later: only then is an alert sent again. */
    transient: Type.Optional(Type.Boolean({ description: 'true: a retry may work.' })),
  },
  closed,
)
export type ChannelResult = Infer<typeof resultSchema>
export const results = Type.Array(resultSchema, { description: 'Result of each selected channel.' })

/** A notification as kept: without its secrets, with its results. */
export const notificationSchema = Type.Object(
  {
    notificationId: Type.String({ description: 'Prefix notification-; ids rise in order of creation.' }),
    kind: Type.Enum(KINDS),
    level: Type.Enum(LEVELS),
    title: Type.Optional(Type.String()),
    message: Type.String(),
    source: Type.Optional(Type.String()),
    results,
    createdAt: Type.String(),
    /** Number of attempts; each is on the condition of the previous one. */
    attempts: Type.Optional(Type.Integer()),
    /** Set while an alert has not reached every channel, or is being sent. */
    nextTryAt: Type.Optional(Type.String()),
  },
  closed,
)
export type Notification = Infer<typeof notificationSchema>
