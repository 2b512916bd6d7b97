import { mailbox } from '@gateway/plugin-mailbox/api'
import { type SwarmTasks, type TaskChanged, taskChange } from '@gateway/plugin-tasks/api'
import { contribute, now, type Resolved, type Transaction } from '@gateway/sdk'
import { swarms } from './collections.ts'
import { isOverBudget } from './rules/progress.ts'
import type { Swarm } from './schema.ts'

/** Who the mail of the family comes from, and who decides on budgets. */
const SENDER = 'swarms'
const OPERATOR = 'operator'

export const pauseUses = { swarms, mail: mailbox }
type Refs = Resolved<typeof pauseUses>

/** Keeps a swarm in step with its children, in the transaction of each child’s change. */
export const childChanges = contribute(taskChange, {
  uses: pauseUses,
  create: (refs) => ({
    async apply(change, tx, tasks) {
      const { swarmId } = change.after
      if (swarmId === undefined) return
      const before = await refs.swarms.in(tx).get(swarmId)
      if (!before) return
      const swarm = await record(refs, before, change, tx)
      if (swarm.status === 'active') await pauseIfOverBudget(refs, swarm, tasks, tx)
      // A worker may give a task back, or someone replay it, while nothing of the swarm may be claimed.
      else if (change.after.status === 'pending' && swarm.status !== 'done') await tasks.pause(swarmId)
    },
  }),
})

/** Adds what the child has spent, and who has left its work, to the swarm. */
async function record(refs: Refs, swarm: Swarm, { before, after, outputTokensDelta }: TaskChanged, tx: Transaction): Promise<Swarm> {
  const leaver = after.claimedBy === before.claimedBy ? undefined : before.claimedBy
  const isNew = leaver !== undefined && !swarm.participants.includes(leaver)
  if (outputTokensDelta === 0 && !isNew) return swarm
  const changed = await refs.swarms.in(tx).updateOne(swarm.swarmId, {
    set: { updatedAt: now() },
    inc: { tokensSpent: outputTokensDelta },
    ...(isNew && { addToSet: { participants: leaver } }),
  })
  return changed ?? swarm
}

/** When the spend has met the budget: the whole swarm pauses, and the operator has mail. */
export async function pauseIfOverBudget(refs: Refs, swarm: Swarm, tasks: SwarmTasks, tx: Transaction): Promise<Swarm> {
  if (swarm.status !== 'active' || !isOverBudget(swarm)) return swarm
  const { swarmId, goal, repo, tokensSpent, tokenBudget } = swarm
  const paused = await refs.swarms.in(tx).updateOne(swarmId, { set: { status: 'paused', pausedBy: 'budget', updatedAt: now() } })
  await tasks.pause(swarmId)
  await refs.mail.postIn(tx, {
    to: OPERATOR,
    from: SENDER,
    kind: 'swarm',
    swarmId,
    subject: `Swarm ${swarmId} is paused: its token budget is used up`,
    body: `It has spent ${tokensSpent} of ${tokenBudget} output tokens on “${goal}” (repo ${repo}). Raise the budget with swarm_update_budget, then swarm_approve lets it go on.`,
  })
  return paused ?? swarm
}
