import { cutShort, defineTool, LIST_BYTES, Type, truncated } from '@gateway/sdk'
import { swarms } from '../collections.ts'
import { repo, STATUSES, Swarm } from '../schema.ts'

const ROWS = { default: 50, max: 200 }
/** Ids rise with time, also within one millisecond. */
const newestFirst = { createdAt: -1, swarmId: -1 } as const

export const swarmList = defineTool({
  name: 'swarm_list',
  description: 'List swarms, newest first, without their children. Returns {swarms}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/swarms',
  input: Type.Object(
    {
      status: Type.Optional(Type.Enum(STATUSES)),
      repo: Type.Optional(repo),
      limit: Type.Optional(Type.Integer({ minimum: 1, default: ROWS.default, description: `At most ${ROWS.max}; more is cut to it.` })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ swarms: Type.Array(Swarm), truncated }, { additionalProperties: false }),
  uses: { swarms },
  async handle({ status, repo, limit = ROWS.default }, { swarms }) {
    // All statuses rather than none: the indexes have the status before the time.
    const where = { status: { in: status === undefined ? STATUSES : [status] }, ...(repo !== undefined && { repo }) }
    const rows = Math.min(limit, ROWS.max)
    const page = await swarms.find({ where, sort: newestFirst, limit: rows, maxBytes: LIST_BYTES })
    return { swarms: [...page.items], ...cutShort(page, rows) }
  },
})
