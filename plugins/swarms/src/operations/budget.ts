import { mailbox } from '@gateway/plugin-mailbox/api'
import type { SwarmTasks } from '@gateway/plugin-tasks/api'
import { alertRaised, now, type Resolved, resourceUpdated, type Transaction } from '@gateway/sdk'
import { swarms } from '../collections.ts'
import { isOverBudget } from '../rules/progress.ts'
import type { Swarm } from '../schema.ts'
import { stoppedNews, swarmStopped } from './news.ts'

/** Sender of the family's mail, and the address that decides on budgets. */
const SENDER = 'swarms'
const OPERATOR = 'operator'

export const pauseUses = { swarms, mail: mailbox, alerts: alertRaised, stopped: swarmStopped, updated: resourceUpdated }
type Refs = Resolved<typeof pauseUses>

/** Pauses the whole swarm when its spending has reached the budget, and notifies the operator by mail and alert. */
export async function pauseIfOverBudget(refs: Refs, swarm: Swarm, tasks: SwarmTasks, tx: Transaction): Promise<Swarm> {
  if (swarm.status !== 'active' || !isOverBudget(swarm)) return swarm
  const { swarmId, goal, repo, tokensSpent, tokenBudget } = swarm
  const paused = await refs.swarms.in(tx).updateOne(swarmId, { set: { status: 'paused', pausedBy: 'budget', updatedAt: now() } })
  await tasks.pause(swarmId)
  const subject = `Swarm ${swarmId} is paused: its token budget is used up`
  const body = `It has spent ${tokensSpent} of ${tokenBudget} output tokens on “${goal}” (repo ${repo}). Raise the budget with swarm_update_budget, then call swarm_approve to continue.`
  await refs.mail.postIn(tx, { to: OPERATOR, from: SENDER, kind: 'swarm', swarmId, subject, body })
  tx.afterCommit(() => refs.alerts.emit({ level: 'warning', source: 'swarms.token-budget', title: subject, message: body }))
  await refs.stopped.emit(stoppedNews(paused ?? swarm), tx)
  return paused ?? swarm
}
