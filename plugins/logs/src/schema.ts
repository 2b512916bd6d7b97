import { closed, type Infer, Type } from '@gateway/sdk'

export const SERVICES = ['gateway', 'runner', 'agent'] as const
export const LEVELS = ['debug', 'info', 'warn', 'error'] as const

/** A line as stored and returned by every tool. */
export const logSchema = Type.Object(
  {
    logId: Type.String({ description: 'Prefix log-; rises from line to line.' }),
    correlationId: Type.String(),
    service: Type.Optional(Type.Enum(SERVICES)),
    level: Type.Enum(LEVELS),
    message: Type.String(),
    attributes: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    createdAt: Type.String(),
  },
  closed,
)
export type Log = Infer<typeof logSchema>

/** A line as received. */
export const lineSchema = Type.Object(
  {
    correlationId: Type.String({ minLength: 1, maxLength: 200, description: 'What belongs together; by custom the taskId.' }),
    service: Type.Optional(Type.Enum(SERVICES, { description: 'Who writes.' })),
    level: Type.Optional(Type.Enum(LEVELS, { default: 'info' })),
    message: Type.String({ maxLength: 65_536, description: 'The text. Secrets in it are replaced before it is stored.' }),
    attributes: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Whatever else there is to know. Secrets are replaced here as well.' }),
    ),
  },
  closed,
)
export type Line = Infer<typeof lineSchema>

/** A line to store, without secrets. */
export type StorableLine = Omit<Log, 'logId' | 'createdAt'>
