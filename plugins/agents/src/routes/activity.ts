import { ACTIVITY_ROWS, activityMembers, agentActivity, closed, collectActivity, DAY_MS, defineRoute, Type } from '@gateway/sdk'
import { nameArgument } from '../schema.ts'

const DAYS = 30

export const agentsActivity = defineRoute({
  name: 'agents.activity',
  description: `Returns what an agent holds, did, failed at and learned, what it was told, and what it spent in the last ${DAYS} days. The name is that of an agent, of a worker as it claims tasks, or the label of a key.`,
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/agents/:name/activity',
  input: Type.Object({ name: nameArgument, limit: ACTIVITY_ROWS.argument }, closed),
  output: Type.Object({ agent: Type.String(), since: Type.String(), ...activityMembers }, closed),
  uses: { sources: agentActivity },
  async handle({ name, limit }, { sources }, ctx) {
    const since = new Date(ctx.now().getTime() - DAYS * DAY_MS).toISOString()
    return { agent: name, since, ...(await collectActivity(sources, { name, limit: ACTIVITY_ROWS.of(limit), since })) }
  },
})
