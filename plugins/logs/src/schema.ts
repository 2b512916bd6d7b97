import { closed, type Infer, Type } from '@gateway/sdk'

export const SERVICES = ['gateway', 'runner', 'agent'] as const
export const LEVELS = ['debug', 'info', 'warn', 'error'] as const

export const logSchema = Type.Object(
  {
    logId: Type.String({ description: 'Prefix log-; ids rise in order of creation.' }),
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

export const lineSchema = Type.Object(
  {
    correlationId: Type.String({ minLength: 1, maxLength: 200, description: 'Groups related lines; by convention the taskId.' }),
    service: Type.Optional(Type.Enum(SERVICES, { description: 'Writer of the line.' })),
    level: Type.Optional(Type.Enum(LEVELS, { default: 'info' })),
    message: Type.String({ maxLength: 65_536, description: 'Text of the line. Secrets in it are replaced before it is stored.' }),
    attributes: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Additional data. Secrets in it are replaced as well.' }),
    ),
  },
  closed,
)
export type Line = Infer<typeof lineSchema>

/** A line to store, without secrets. */
export type StorableLine = Omit<Log, 'logId' | 'createdAt'>
