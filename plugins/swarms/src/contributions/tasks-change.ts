import { type TaskChanged, taskChange } from '@gateway/plugin-tasks/api'
import { contribute, now, type Resolved, type Transaction } from '@gateway/sdk'
import { pauseIfOverBudget, pauseUses } from '../operations/budget.ts'
import { swarmUri } from '../rules/swarm-uri.ts'
import type { Swarm } from '../schema.ts'

type Refs = Resolved<typeof pauseUses>

/** Updates a swarm in the transaction of each change of a child. */
export const childChanges = contribute(taskChange, {
  uses: pauseUses,
  create: (refs) => ({
    async apply(change, tx, tasks) {
      const { swarmId } = change.after
      if (swarmId === undefined) return
      tx.afterCommit(() => refs.updated.emit({ uri: swarmUri(swarmId) }))
      const before = await refs.swarms.in(tx).get(swarmId)
      if (!before) return
      const swarm = await record(refs, before, change, tx)
      if (swarm.status === 'active') await pauseIfOverBudget(refs, swarm, tasks, tx)
      // A worker may return a task, or someone replay it, while nothing of the swarm may be claimed.
      else if (change.after.status === 'pending' && swarm.status !== 'done') await tasks.pause(swarmId)
    },
  }),
})

const touch = ({ swarms }: Refs, { swarmId, status }: Swarm, tx: Transaction): Promise<Swarm | undefined> =>
  swarms.in(tx).updateOne(swarmId, { set: { status } })

/** Adds a child's spending, and a worker that left it, to the swarm. */
async function record(refs: Refs, swarm: Swarm, { before, after, outputTokensDelta }: TaskChanged, tx: Transaction): Promise<Swarm> {
  const leaver = after.claimedBy === before.claimedBy ? undefined : before.claimedBy
  const isNew = leaver !== undefined && !swarm.participants.includes(leaver)
  // A child that may be claimed from now on depends on the status of its swarm: a stop at another node has to conflict with it.
  if (outputTokensDelta === 0 && !isNew && after.status !== 'pending') return swarm
  if (outputTokensDelta === 0 && !isNew) return (await touch(refs, swarm, tx)) ?? swarm
  const changed = await refs.swarms.in(tx).updateOne(swarm.swarmId, {
    set: { updatedAt: now() },
    inc: { tokensSpent: outputTokensDelta },
    ...(isNew && { addToSet: { participants: leaver } }),
  })
  return changed ?? swarm
}
