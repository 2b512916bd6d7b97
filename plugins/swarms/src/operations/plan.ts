import { isAddress, parseAddress } from '@gateway/plugin-mailbox/api'
import { type Task, taskQueue } from '@gateway/plugin-tasks/api'
import { atomically, BadRequest, type CallContext, defined, principalName, type Resolved, type Transaction } from '@gateway/sdk'
import { swarms } from '../collections.ts'
import { config } from '../config.ts'
import { ConsentNeeded } from '../errors.ts'
import { checkChildren, effectiveCap } from '../rules/plan.ts'
import type { PlanArguments, Swarm, SwarmChild } from '../schema.ts'
import { plannedNews, swarmPlanned } from './news.ts'

export const planUses = { swarms, atomically, queue: taskQueue, config, planned: swarmPlanned }
type Refs = Resolved<typeof planUses>

/** Writes the swarm, its children and their dependencies together, or none of them. */
export async function planSwarm(refs: Refs, args: PlanArguments, ctx: CallContext): Promise<{ swarm: Swarm; children: readonly Task[] }> {
  const { goal, children: wanted, dependents = 'done', consent = false, parentTaskId, notes } = args
  const childCap = effectiveCap(refs.config.childCap, args.childCap)
  checkChildren(wanted, childCap)
  const repo = await refs.queue.repoName(args.repo, { stores: true })
  const { scheduleIgnoreRepos } = refs.config
  const ignored = [...scheduleIgnoreRepos, ...(await Promise.all(scheduleIgnoreRepos.map((one) => refs.queue.repoName(one))))]
  if (!consent && ignored.includes(repo)) throw ConsentNeeded({ field: 'consent', repo })
  const plannedBy = args.createdBy === undefined ? ownAddress(ctx) : parseAddress('createdBy', args.createdBy)
  return refs.atomically(async (tx) => {
    const at = tx.now.toISOString()
    if (parentTaskId !== undefined && !(await refs.queue.get(parentTaskId, tx)))
      throw BadRequest({ field: 'parentTaskId', message: `\`parentTaskId\` must name a task that exists; got ${parentTaskId}.` })
    const planned = await refs.swarms.in(tx).insert({
      swarmId: ctx.newId('swarm-'),
      goal,
      repo,
      status: 'planning',
      childCount: wanted.length,
      childCap,
      dependents,
      tokensSpent: 0,
      plannedBy,
      plannedByPrincipal: principalName(ctx.principal),
      participants: [],
      // A plan may outlive the task that asked for it.
      ...defined({ parentTaskId, notes }),
      createdAt: at,
      updatedAt: at,
    })
    const children = await enqueueAll(refs, planned, wanted, tx)
    const swarm = await refs.swarms.in(tx).updateOne(planned.swarmId, { set: { status: 'paused' } })
    await refs.planned.emit(plannedNews(swarm ?? planned), tx)
    return { swarm: swarm ?? planned, children }
  })
}

function ownAddress({ principal: { label, id } }: CallContext): string {
  const own = [label, id].find((name) => name !== undefined && isAddress(name))
  return own === undefined ? id : parseAddress('createdBy', own)
}

async function enqueueAll(
  { queue }: Refs,
  { swarmId, repo, dependents }: Swarm,
  wanted: readonly SwarmChild[],
  tx: Transaction,
): Promise<readonly Task[]> {
  const children: Task[] = []
  for (const { dependsOnIndexes = [], ...fields } of wanted) {
    const dependsOn = dependsOnIndexes.flatMap((at) => children[at]?.taskId ?? [])
    const draft = { ...fields, repo, dependsOn, swarmId, status: 'paused' } as const
    children.push(await queue.enqueue(dependents === 'review' ? { ...draft, startsAfter: dependents } : draft, tx))
  }
  return children
}
