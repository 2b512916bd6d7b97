import { closed, type Infer, Type } from '@gateway/sdk'
import { alertStateSchema } from '@gateway/sdk/alerting'

/** In order. */
export const STAGES = ['signup', 'dispatch', 'pickup', 'ship'] as const
export type Stage = (typeof STAGES)[number]

const stageSchema = Type.Object(
  {
    stage: Type.Enum(STAGES),
    status: Type.Enum(['pass', 'slow', 'fail', 'skipped'], { description: 'slow: it passed, but took longer than its budget.' }),
    latencyMs: Type.Optional(Type.Number()),
    budgetMs: Type.Number(),
    error: Type.Optional(Type.String()),
  },
  closed,
)
export type StageResult = Infer<typeof stageSchema>

export const runSchema = Type.Object(
  {
    runId: Type.String({ description: 'Prefix canary-; later ids sort later.' }),
    status: Type.Enum(['pass', 'slow', 'fail', 'skipped'], {
      description: 'Worst status of its stages; skipped: claims are paused.',
    }),
    stages: Type.Array(stageSchema),
    startedAt: Type.String(),
  },
  closed,
)
export type Run = Infer<typeof runSchema>

export const stateSchema = Type.Object(
  {
    stateId: Type.String(),
    /** Newest first. */
    runs: Type.Array(runSchema),
    told: Type.Optional(alertStateSchema),
  },
  closed,
)
