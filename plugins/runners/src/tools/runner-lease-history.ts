import { defineTool, Type } from '@gateway/sdk'
import { pastSessions } from '../collections.ts'
import { account, PastSession, slot } from '../schema.ts'

const ROWS = { default: 50, max: 500 }

export const runnerLeaseHistory = defineTool({
  name: 'runner_lease_history',
  description:
    'Show the runner sessions that ended, the latest first: who held which slot, for how long, and whether it was released, reclaimed or given up by another account. Returns {history}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/runner-leases/history',
  input: Type.Object(
    {
      limit: Type.Optional(Type.Integer({ minimum: 1, default: ROWS.default, description: `At most ${ROWS.max}; more is cut to it.` })),
      account: Type.Optional(account),
      slot: Type.Optional(slot),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ history: Type.Array(PastSession) }, { additionalProperties: false }),
  uses: { pastSessions },
  async handle({ limit = ROWS.default, account, slot }, { pastSessions }) {
    const where = { ...(account !== undefined && { account }), ...(slot !== undefined && { slot }) }
    // Equal times are ordered by id: ids rise with time, also within one millisecond.
    const sort = { releasedAt: -1, sessionId: -1 } as const
    const { items } = await pastSessions.find({ where, sort, limit: Math.min(limit, ROWS.max) })
    return { history: items.map(({ sessionId: _sessionId, ...session }) => session) }
  },
})
