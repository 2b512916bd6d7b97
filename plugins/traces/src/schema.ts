import { closed, type Infer, Type } from '@gateway/sdk'

export const SERVICES = ['gateway', 'runner', 'agent'] as const
export const STATUSES = ['ok', 'error'] as const

export const spanSchema = Type.Object(
  {
    spanId: Type.String({ description: 'Prefix span-; ids rise in order of creation.' }),
    taskId: Type.String(),
    name: Type.String(),
    service: Type.Optional(Type.Enum(SERVICES)),
    startMs: Type.Optional(Type.Number()),
    endMs: Type.Optional(Type.Number()),
    durationMs: Type.Optional(Type.Number({ description: 'Set when start and end are known.' })),
    status: Type.Enum(STATUSES),
    parentName: Type.Optional(Type.String()),
    attributes: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    error: Type.Optional(Type.String()),
    recordedAt: Type.String(),
  },
  closed,
)
export type Span = Infer<typeof spanSchema>

export const traceSchema = Type.Object({ taskId: Type.String(), lastRecordedAt: Type.String() }, closed)
