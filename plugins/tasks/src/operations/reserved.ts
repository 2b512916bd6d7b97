import type { CallContext, Filter, Resolved } from '@gateway/sdk'
import type { ReservedAgents } from '../api.ts'
import { partsOfAudience } from '../rules/stage.ts'
import type { Task } from '../schema.ts'
import type { queueUses } from './claim.ts'
import { exceptReserved } from './for-runners.ts'
import { promoteDue } from './promote.ts'
import { byRank, inOrder, isFor } from './selection.ts'

/**
 * Claimable tasks that the gateway does itself, in the order of the queue. A queue that holds no task of an agent costs one query for its
 * audiences, and one for tasks that have become due.
 */
export async function readyReserved(
  refs: Pick<Resolved<typeof queueUses>, 'tasks' | 'promotionTimes' | 'claimable'>,
  reserved: readonly ReservedAgents[],
  limit: number,
  ctx: CallContext,
): Promise<readonly Task[]> {
  if (refs.promotionTimes.due(ctx.tenantId, ctx.now().getTime())) await promoteDue(refs)
  const assigned = (await refs.tasks.distinct('readyFor')).filter((one) => one !== undefined && partsOfAudience(one).agent !== undefined)
  if (assigned.length === 0) return []
  const wanted = await exceptReserved(reserved)
  const reservedFor = (assigned as string[]).filter((readyFor) => !isFor(wanted, readyFor))
  const agents = [...new Set(reservedFor.map((readyFor) => partsOfAudience(readyFor).agent))]
  const pages = agents.map(async (assignedAgent) => {
    const audiences = reservedFor.filter((readyFor) => partsOfAudience(readyFor).agent === assignedAgent)
    const where = { assignedAgent, stage: 'ready', readyFor: { in: audiences } } as Filter<Task>
    return (await refs.tasks.find({ where, sort: byRank, limit })).items
  })
  return inOrder((await Promise.all(pages)).flat()).slice(0, limit)
}
