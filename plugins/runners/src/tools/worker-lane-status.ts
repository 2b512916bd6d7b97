import { closed, defineTool, Type } from '@gateway/sdk'
import { executions } from '../collections.ts'
import { countExecutions } from '../contributions/tasks-change.ts'
import { heardOf, machineUses } from '../operations/machines.ts'
import { LANE_STATES, LANES, laneState } from '../rules/lanes.ts'
import { defaults, thresholdMinutes } from '../schema.ts'

export const workerLaneStatus = defineTool({
  name: 'worker_lane_status',
  description:
    'Show for each execution lane whether a runner of it is connected, down or was never configured, on which host, and how many executions ended on it. Returns {lanes}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/worker-lanes',
  input: Type.Object({ thresholdMinutes }, closed),
  output: Type.Object(
    {
      lanes: Type.Array(
        Type.Object(
          {
            lane: Type.Enum(LANES),
            state: Type.Enum(LANE_STATES),
            host: Type.Optional(Type.String({ description: 'Machine with the latest heartbeat.' })),
            lastCheck: Type.Optional(Type.String({ description: 'Time of that heartbeat.' })),
            others: Type.Optional(
              Type.Array(Type.String(), { description: 'Further connected machines of the lane, the latest heartbeat first; at most 20.' }),
            ),
            executions24h: Type.Integer(),
            executions30d: Type.Integer(),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
  uses: { ...machineUses, executions },
  async handle({ thresholdMinutes = defaults.thresholdMinutes }, { executions, ...refs }) {
    const [{ now, machines }, day, month] = await Promise.all([
      heardOf(refs),
      countExecutions(executions, 24),
      countExecutions(executions, 30 * 24),
    ])
    const lanes = LANES.map((lane) => ({
      ...laneState(lane, machines, thresholdMinutes, now),
      executions24h: day.get(lane) ?? 0,
      executions30d: month.get(lane) ?? 0,
    }))
    return { lanes }
  },
})
