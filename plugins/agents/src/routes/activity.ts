import { type AgentDeed, agentActivity, closed, defineRoute, rowLimit, Type } from '@gateway/sdk'
import { nameArgument } from '../schema.ts'

const ROWS = rowLimit(20, 100, 'Entries of each sort')
const DAYS = 30
const DAY_MS = 86_400_000

const Deed = Type.Object(
  {
    kind: Type.String({ description: 'task, lease, runner-slot, session …' }),
    id: Type.String(),
    title: Type.String(),
    at: Type.String({ description: 'Time since when it is held, or when it ended.' }),
    error: Type.Optional(Type.String()),
    until: Type.Optional(Type.String({ description: 'Time when it expires.' })),
  },
  closed,
)
const deeds = Type.Array(Deed)

export const agentsActivity = defineRoute({
  name: 'agents.activity',
  description: `Returns what an agent holds, did, failed at and spent in the last ${DAYS} days. The name is that of an agent, the name a worker claims tasks with, or the label of a key.`,
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/agents/:name/activity',
  input: Type.Object({ name: nameArgument, limit: ROWS.argument }, closed),
  output: Type.Object(
    { agent: Type.String(), since: Type.String(), holds: deeds, did: deeds, failed: deeds, spentUsd: Type.Number() },
    closed,
  ),
  uses: { sources: agentActivity },
  async handle({ name, limit }, { sources }, ctx) {
    const rows = ROWS.of(limit)
    const since = new Date(ctx.now().getTime() - DAYS * DAY_MS).toISOString()
    const found = await Promise.all(sources.map((source) => source.of({ name, limit: rows, since })))
    const latest = (all: readonly (readonly AgentDeed[] | undefined)[]): AgentDeed[] =>
      all
        .flatMap((some) => some ?? [])
        .sort((a, b) => (a.at < b.at ? 1 : -1))
        .slice(0, rows)
    return {
      agent: name,
      since,
      holds: latest(found.map(({ holds }) => holds)),
      did: latest(found.map(({ did }) => did)),
      failed: latest(found.map(({ failed }) => failed)),
      spentUsd: found.reduce((sum, { spentUsd = 0 }) => sum + spentUsd, 0),
    }
  },
})
