import { taskQueue } from '@gateway/plugin-tasks/api'
import { closed, defined, type Infer, type Resolved, Type } from '@gateway/sdk'
import { slotLeases } from '../collections.ts'
import { LANES, type Lane } from '../rules/lanes.ts'
import { MAX_SLOTS } from '../schema.ts'

const MAX_RUNS = 100
export const runUses = { slotLeases, queue: taskQueue }
export const lane = Type.Enum(LANES, { type: 'string', description: 'The lane alone.' })

/** A task that a runner works on now. */
export const Run = Type.Object(
  {
    taskId: Type.String(),
    title: Type.String(),
    repo: Type.String(),
    lane: Type.String(),
    holder: Type.String(),
    machine: Type.Optional(Type.String()),
    agent: Type.Optional(Type.String({ description: 'The agent that the task is assigned to.' })),
    slot: Type.Integer(),
    since: Type.String(),
    leaseUntil: Type.Optional(Type.String()),
  },
  closed,
)
export type Run = Infer<typeof Run>

/** Runs of a lane, or of all, the latest first: the slots whose holder works on the task that it reported. */
export async function runsAtWork({ slotLeases, queue }: Resolved<typeof runUses>, only?: Lane): Promise<readonly Run[]> {
  const { items } = await slotLeases.find({ limit: MAX_SLOTS })
  const busy = items.filter(({ taskId }) => taskId !== undefined).sort((a, b) => (a.heartbeat < b.heartbeat ? 1 : -1))
  const runs = await Promise.all(
    busy.slice(0, MAX_RUNS).map(async ({ taskId = '', holder, machine, slot, acquiredAt }): Promise<Run[]> => {
      const task = await queue.get(taskId)
      if (task?.status !== 'working' || task.claimedBy !== holder) return []
      const { title, repo, executionLane: lane = 'primary', assignedAgent: agent, claimedAt: since = acquiredAt, leaseUntil } = task
      if (only !== undefined && lane !== only) return []
      return [{ taskId, title, repo, lane, holder, slot, since, ...defined({ machine, agent, leaseUntil }) }]
    }),
  )
  return runs.flat().sort((a, b) => (a.since < b.since ? 1 : -1))
}
