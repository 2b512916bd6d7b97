import { taskQueue } from '@gateway/plugin-tasks/api'
import { closed, cutShort, defined, defineTool, LIST_BYTES, rowLimit, Type, truncated } from '@gateway/sdk'
import { swarms } from '../collections.ts'
import { repo, STATUSES, Swarm } from '../schema.ts'

const ROWS = rowLimit(50, 200)
/** Ids rise with time, also within one millisecond. */
const newestFirst = { createdAt: -1, swarmId: -1 } as const

export const swarmList = defineTool({
  name: 'swarm_list',
  description: 'List swarms, newest first, without their children. Returns {swarms}.',
  capability: 'read',
  effect: 'read',
  app: 'ui://gateway/desk',
  rest: 'GET /api/swarms',
  input: Type.Object(
    {
      status: Type.Optional(Type.Enum(STATUSES)),
      repo: Type.Optional(repo),
      limit: ROWS.argument,
    },
    closed,
  ),
  output: Type.Object({ swarms: Type.Array(Swarm), truncated }, closed),
  uses: { swarms, queue: taskQueue },
  async handle({ status, repo: asked, limit }, { swarms, queue }) {
    // Earlier versions stored a folder or a remote as it was given.
    const repo = asked === undefined ? undefined : { in: [...new Set([asked, await queue.repoName(asked)])] }
    // All statuses instead of none, because the indexes have the status before the time.
    const where = { status: { in: status === undefined ? STATUSES : [status] }, ...defined({ repo }) }
    const rows = ROWS.of(limit)
    const page = await swarms.find({ where, sort: newestFirst, limit: rows, maxBytes: LIST_BYTES })
    return { swarms: [...page.items], ...cutShort(page, rows) }
  },
})
