import { OutsideUsage } from '@gateway/plugin-providers/api'
import { closed, type Infer, Type } from '@gateway/sdk'

export const STATUSES = ['done', 'blocked', 'failed', 'no-result'] as const

/** Usage of a run. */
export const RunUsage = Type.Object(
  {
    ...OutsideUsage.properties,
    charged: Type.Optional(Type.Boolean({ description: 'True: this gateway charged the calls, so they count towards no budget again.' })),
  },
  closed,
)

export const jobSchema = Type.Object(
  {
    jobId: Type.String({ description: 'Prefix job-; ids rise in order of creation.' }),
    repo: Type.Optional(Type.String()),
    taskId: Type.Optional(Type.String()),
    status: Type.Optional(Type.Enum(STATUSES)),
    resultLine: Type.Optional(Type.String()),
    errorExcerpt: Type.Optional(Type.String()),
    exitCode: Type.Optional(Type.Number()),
    machine: Type.Optional(Type.String()),
    model: Type.Optional(Type.String()),
    logFile: Type.Optional(Type.String()),
    startedAtMs: Type.Number(),
    durationSeconds: Type.Optional(Type.Number()),
    usage: Type.Optional(RunUsage),
    recordedAt: Type.String({ description: 'Time when it was first recorded.' }),
    updatedAt: Type.String(),
  },
  closed,
)
export type Job = Infer<typeof jobSchema>

/** Number of runs of a repo and a status, or of a status in all repos. */
export const runCountSchema = Type.Object(
  { of: Type.String({ description: 'JSON of repo and status; null for a run without status, and for all repos.' }), runs: Type.Integer() },
  closed,
)
export type RunCount = Infer<typeof runCountSchema>

const LAST_DATE_MS = 8_640_000_000_000_000
export const epochMs = (description: string) => Type.Number({ minimum: 0, maximum: LAST_DATE_MS, description })
