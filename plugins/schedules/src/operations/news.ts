import { closed, cutText, defined, defineEvent, Type } from '@gateway/sdk'
import { KINDS, type Schedule } from '../schema.ts'

const MAX_ERROR = 500

export const scheduleRan = defineEvent(
  'schedules.ran',
  Type.Object(
    {
      scheduleId: Type.String(),
      name: Type.String(),
      kind: Type.Enum(KINDS),
      target: Type.String(),
      runId: Type.String(),
      startedAt: Type.String(),
      endedAt: Type.String(),
      status: Type.Enum(['success', 'error']),
      error: Type.Optional(Type.String()),
    },
    closed,
  ),
  { public: 'A run of a schedule ended, in success or in error; a run whose process stopped ends in error.' },
)

interface EndedRun {
  readonly runId: string
  readonly startedAt: string
  readonly endedAt: string
  readonly error?: string | undefined
}

/** Public fields of a run: not its result, which may be long. */
export const ranNews = ({ scheduleId, name, kind, target }: Schedule, { runId, startedAt, endedAt, error }: EndedRun) => ({
  scheduleId,
  name,
  kind,
  target,
  runId,
  startedAt,
  endedAt,
  status: error === undefined ? ('success' as const) : ('error' as const),
  ...defined({ error: error === undefined ? undefined : cutText(error, MAX_ERROR) }),
})
