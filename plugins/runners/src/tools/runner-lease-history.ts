import { closed, defined, defineTool, type Infer, rowLimit, Type, throughout } from '@gateway/sdk'
import { pastSessions } from '../collections.ts'
import { account, PastSession, slot, tenantId } from '../schema.ts'

const ROWS = rowLimit(50, 500)

export const runnerLeaseHistory = defineTool({
  name: 'runner_lease_history',
  description:
    'Show the runner sessions that ended, the latest first: who held which slot, for how long, and whether it was released, reclaimed or given up by another account. Returns {history}.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/runner-leases/history',
  input: Type.Object(
    {
      limit: ROWS.argument,
      account: Type.Optional(account),
      slot: Type.Optional(slot),
    },
    closed,
  ),
  output: Type.Object({ history: Type.Array(Type.Object({ tenantId, ...PastSession.properties }, closed)) }, closed),
  uses: { sessions: throughout(pastSessions) },
  async handle({ limit, account, slot }, { sessions }, ctx) {
    const where = { ...defined({ account, slot }) }
    const most = ROWS.of(limit)
    const ofTenants = await Promise.all(
      (await sessions()).map(async ({ tenantId, collection }) => {
        const { items } = await collection.find({ where, sort: { releasedAt: -1, sessionId: -1 }, limit: most })
        return items.map((session) => (tenantId === ctx.tenantId ? session : { tenantId, ...session }))
      }),
    )
    const history = ofTenants.flat().sort(latestFirst).slice(0, most)
    return { history: history.map(({ sessionId: _sessionId, ...session }) => session) }
  },
})

type Ended = Infer<(typeof pastSessions)['schema']>

/** Equal times are ordered by id: ids rise with time, also within one millisecond. */
function latestFirst(a: Ended, b: Ended): number {
  const key = ({ releasedAt, sessionId }: Ended): string => `${releasedAt} ${sessionId}`
  return key(a) < key(b) ? 1 : -1
}
