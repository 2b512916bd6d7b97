import { allOf, type Collection, closed, defined, defineTool, Type } from '@gateway/sdk'
import { standingAgents } from '../api.ts'
import { schedules } from '../collections.ts'
import { Schedule, STATUSES } from '../schema.ts'

const { scheduleId, cronExpr, lastRun, lastStatus, nextRun, enabled } = Schedule.properties
const StandingAgent = Type.Object(
  {
    agent: Type.String(),
    scheduled: Type.Boolean({ description: 'false: no schedule runs it, and the other fields are absent.' }),
    scheduleId: Type.Optional(scheduleId),
    cronExpr: Type.Optional(cronExpr),
    lastRun: Type.Optional(lastRun),
    lastStatus: Type.Optional(lastStatus),
    nextRun: Type.Optional(nextRun),
    enabled: Type.Optional(enabled),
  },
  closed,
)

const PAGE = 1_000

export const standingAgentsStatus = defineTool({
  name: 'standing_agents_status',
  description:
    'Show how the agents that run on a schedule are doing, and which of those meant to have no schedule. Returns {count, agents}, one entry for each schedule of an agent.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), agents: Type.Array(StandingAgent) }, closed),
  uses: { schedules, standing: standingAgents },
  async handle(_args, { schedules, standing }) {
    const scheduled = (await agentSchedules(schedules)).map(({ target, scheduleId, cronExpr, lastRun, lastStatus, nextRun, enabled }) => ({
      agent: target,
      scheduled: true,
      scheduleId,
      cronExpr,
      ...defined({ lastRun }),
      lastStatus,
      nextRun,
      enabled,
    }))
    const named = new Set((await Promise.all(standing.map((one) => one.names()))).flat())
    for (const { agent } of scheduled) named.delete(agent)
    const unscheduled = [...named].sort().map((agent) => ({ agent, scheduled: false }))
    return { count: scheduled.length + unscheduled.length, agents: [...scheduled, ...unscheduled] }
  },
})

/** The soonest first. */
function agentSchedules(schedules: Collection<Schedule>): Promise<Schedule[]> {
  const where = { kind: 'agent', lastStatus: { in: STATUSES }, enabled: { in: [true, false] } } as const
  return allOf(schedules, { where, sort: { nextRun: 1 }, limit: PAGE })
}
