import { MAX_ADDRESS_LENGTH } from '@gateway/plugin-mailbox/api'
import { Task, taskDraft } from '@gateway/plugin-tasks/api'
import { closed, type Infer, nonBlankText, Type } from '@gateway/sdk'
import { HARD_CHILD_CAP } from './rules/plan.ts'

export const STATUSES = ['planning', 'paused', 'active', 'stopped', 'done'] as const
/** Statuses of a child that may release the children that depend on it. */
const DEPENDENTS = ['done', 'review'] as const
const DISPLAY_STATUSES = ['paused', 'pending', 'running', 'done', 'blocked'] as const
export type DisplayStatus = (typeof DISPLAY_STATUSES)[number]

/** A swarm as stored and returned. Times are ISO 8601 in UTC. */
export const Swarm = Type.Object(
  {
    swarmId: Type.String(),
    goal: Type.String(),
    repo: Type.String(),
    status: Type.Enum(STATUSES),
    childCount: Type.Integer(),
    childCap: Type.Integer(),
    dependents: Type.Optional(Type.Enum(DEPENDENTS, { description: 'Status of a child that releases its dependents; not set: done.' })),
    tokenBudget: Type.Optional(Type.Integer({ description: 'Output tokens at which it is paused; absent: no ceiling.' })),
    tokensSpent: Type.Integer({ description: 'Output tokens of all its children so far.' }),
    pausedBy: Type.Optional(Type.Enum(['budget'], { description: 'Set while it is paused because its budget is used up.' })),
    plannedBy: Type.String(),
    plannedByPrincipal: Type.Optional(Type.String({ description: 'Principal that planned it: `key <label>`, `user <id>`, operator.' })),
    approvedBy: Type.Optional(Type.String()),
    approvedByPrincipal: Type.Optional(Type.String()),
    approvedAt: Type.Optional(Type.String()),
    stoppedBy: Type.Optional(Type.String()),
    stoppedByPrincipal: Type.Optional(Type.String()),
    stoppedAt: Type.Optional(Type.String()),
    stopReason: Type.Optional(Type.String()),
    budgetSetBy: Type.Optional(Type.String()),
    budgetSetByPrincipal: Type.Optional(Type.String()),
    completedAt: Type.Optional(Type.String()),
    participants: Type.Array(Type.String(), { description: 'Workers that have ended their work on a child.' }),
    parentTaskId: Type.Optional(Type.String()),
    notes: Type.Optional(Type.String()),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  closed,
)
export type Swarm = Infer<typeof Swarm>

export const Child = Type.Object(
  {
    taskId: Type.String(),
    title: Type.String(),
    status: Task.properties.status,
    displayStatus: Type.Enum(DISPLAY_STATUSES),
    agent: Type.Optional(Type.String()),
    priority: Task.properties.priority,
    dependsOn: Type.Array(Type.String()),
    claimedBy: Type.Optional(Type.String()),
    prUrl: Type.Optional(Type.String()),
  },
  closed,
)
export type Child = Infer<typeof Child>

export const swarmId = nonBlankText(100, { description: 'Id of the swarm (swarm-…).' })
export const repo = taskDraft.properties.repo
/** Name of an actor: an address, so that mail reaches it, or any name. */
export const actor = (description: string) => Type.Optional(nonBlankText(200, { description }))

const { title, description, priority, assignedAgent, recommendedModel, recommendedModelPreference, notes } = taskDraft.properties

const SwarmChild = Type.Object(
  {
    title,
    description,
    priority,
    assignedAgent,
    recommendedModel,
    recommendedModelPreference,
    notes,
    dependsOnIndexes: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0 }), {
        maxItems: HARD_CHILD_CAP,
        description: 'Earlier children it waits for, by their place in this list, from 0.',
      }),
    ),
  },
  closed,
)
export type SwarmChild = Infer<typeof SwarmChild>

export const planInput = Type.Object(
  {
    repo,
    goal: nonBlankText(2_000),
    createdBy: Type.Optional(
      nonBlankText(MAX_ADDRESS_LENGTH, { description: 'Address that gets mail when it is stopped. Default: your own id.' }),
    ),
    children: Type.Array(SwarmChild, { minItems: 1, maxItems: HARD_CHILD_CAP, description: 'The tasks, in the order of the plan.' }),
    childCap: Type.Optional(Type.Integer({ minimum: 1, description: 'Lowers the gateway’s cap of children; never raises it.' })),
    dependents: Type.Optional(
      Type.Enum(DEPENDENTS, {
        default: 'done',
        description:
          'Status of a child that releases those that depend on it. When it is sent back from review, unclaimed ones wait again.',
      }),
    ),
    parentTaskId: Type.Optional(nonBlankText(100, { description: 'Task that it serves.' })),
    consent: Type.Optional(
      Type.Boolean({ default: false, description: 'true: plan even for a repo that is excluded from autonomous work.' }),
    ),
    notes,
  },
  closed,
)
export type PlanArguments = Infer<typeof planInput>

const answer = { swarm: Swarm, children: Type.Array(Child, { description: 'In the order of the plan.' }) }
export const withChildren = <P extends Parameters<typeof Type.Object>[0]>(more: P) => Type.Object({ ...answer, ...more }, closed)
