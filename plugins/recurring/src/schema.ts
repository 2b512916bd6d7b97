import { taskDraft } from '@gateway/plugin-tasks/api'
import { closed, type Infer, nonBlankText, Type } from '@gateway/sdk'

const OVERLAP_POLICIES = ['skip', 'stack'] as const
const ACCEPT = ['manual', 'auto'] as const
const { repo, title, description, priority, assignedAgent, recommendedModel, notes } = taskDraft.properties

export const PRIORITIES = priority.enum

export const taskFields = { repo, title, description, priority, assignedAgent, recommendedModel, notes }

/** A template of tasks as it is stored and answered. Times are ISO 8601 in UTC. */
export const RecurringTask = Type.Object(
  {
    recurringId: Type.String(),
    name: Type.String(),
    cronExpr: Type.String(),
    repo: Type.String(),
    title: Type.String(),
    description: Type.Optional(Type.String()),
    priority: Type.Enum(PRIORITIES),
    assignedAgent: Type.Optional(Type.String()),
    recommendedModel: Type.Optional(Type.String()),
    notes: Type.Optional(Type.String()),
    overlapPolicy: Type.Enum(OVERLAP_POLICIES),
    accept: Type.Optional(Type.Enum(ACCEPT, { description: 'Default: manual.' })),
    enabled: Type.Boolean(),
    nextFireAt: Type.String({ description: 'Time when it is due; while disabled, when it would have been.' }),
    lastFireAt: Type.Optional(Type.String()),
    lastOutcome: Type.Optional(Type.Enum(['enqueued', 'skipped'], { description: 'Outcome of the last fire.' })),
    lastTaskId: Type.Optional(Type.String({ description: 'Task it enqueued last.' })),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  closed,
)
export type RecurringTask = Infer<typeof RecurringTask>

export const recurringId = nonBlankText(100, { description: 'Id of the template (recurring-…).' })
export const name = nonBlankText(200)
export const cronExpr = nonBlankText(200, { description: 'Five fields, in UTC: minute hour day-of-month month day-of-week.' })

const about = { description: 'While its previous task is open: skip enqueues no other, stack does.' }
export const overlapPolicy = Type.Enum(OVERLAP_POLICIES, about)
export const overlapPolicyOrSkip = Type.Enum(OVERLAP_POLICIES, { default: 'skip', ...about })

const aboutAccept = { description: 'When its task reaches review: auto makes it done, manual leaves that to a person.' }
export const accept = Type.Enum(ACCEPT, aboutAccept)
export const acceptOrManual = Type.Enum(ACCEPT, { default: 'manual', ...aboutAccept })

export const written = Type.Object(
  { recurringTask: RecurringTask, nextFires: Type.Array(Type.String(), { description: 'Next three times it fires.' }) },
  closed,
)
