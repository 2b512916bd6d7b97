import { closed, type Infer, Type } from '@gateway/sdk'

export const LEVELS = ['info', 'warning', 'error', 'critical'] as const
const KINDS = ['message', 'test', 'alert'] as const

/** What is to be told. */
export interface Note {
  readonly title?: string | undefined
  readonly message: string
  readonly level: (typeof LEVELS)[number]
  readonly source?: string | undefined
}

/** The same, ready to leave and to be kept. */
export type ComposedNote = Pick<Notification, 'title' | 'message' | 'level' | 'source'>

const resultSchema = Type.Object(
  {
    channel: Type.String(),
    status: Type.Enum(['sent', 'failed']),
    error: Type.Optional(Type.String({ description: 'Why it failed, and what would help.' })),
    /** Whether it may work later: only then is an alert sent again. */
    transient: Type.Optional(Type.Boolean({ description: 'true: the same may work later.' })),
  },
  closed,
)
export type ChannelResult = Infer<typeof resultSchema>
export const results = Type.Array(resultSchema, { description: 'One for each channel that was meant.' })

/** A notification as it is kept: without its secrets, with what became of it. */
export const notificationSchema = Type.Object(
  {
    notificationId: Type.String({ description: 'Prefix notification-; rises from one to the next.' }),
    kind: Type.Enum(KINDS),
    level: Type.Enum(LEVELS),
    title: Type.Optional(Type.String()),
    message: Type.String(),
    source: Type.Optional(Type.String()),
    results,
    createdAt: Type.String(),
    /** How often an alert was sent; each attempt is on the condition of the one before. */
    attempts: Type.Optional(Type.Integer()),
    /** Set while an alert has not reached every channel, or is on its way. */
    nextTryAt: Type.Optional(Type.String()),
  },
  closed,
)
export type Notification = Infer<typeof notificationSchema>
