import { type SwarmTasks, type TaskChanged, taskChange } from '@gateway/plugin-tasks/api'
import { contribute, now, type Resolved, type Transaction } from '@gateway/sdk'
import { pauseIfOverBudget, pauseUses } from '../operations/budget.ts'
import { displayStatus, isFinished } from '../rules/progress.ts'
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
      const swarm = await reopened(refs, await record(refs, before, change, tx), change, tx)
      if (swarm.status === 'active') await finish(refs, await pauseIfOverBudget(refs, swarm, tasks, tx), change, tasks, tx)
      // A worker may return a task, or someone replay it, while nothing of the swarm may be claimed.
      else if (change.after.status === 'pending') await tasks.pause(swarmId)
    },
  }),
})

const ends = ({ before, after }: TaskChanged): boolean => displayStatus(after.status) === 'done' && before.status !== after.status

/** A swarm that is done goes on with a child that was sent back, or that came from the trash: its budget and its stop hold again. */
async function reopened({ swarms }: Refs, swarm: Swarm, { after }: TaskChanged, tx: Transaction): Promise<Swarm> {
  if (swarm.status !== 'done' || displayStatus(after.status) === 'done') return swarm
  const active = await swarms.in(tx).updateOne(swarm.swarmId, { set: { status: 'active', updatedAt: now() }, unset: ['completedAt'] })
  return active ?? swarm
}

/** Makes an active swarm done with the last of its children. */
async function finish({ swarms }: Refs, swarm: Swarm, change: TaskChanged, tasks: SwarmTasks, tx: Transaction): Promise<void> {
  if (!ends(change) || !isFinished(swarm, await tasks.children(swarm.swarmId))) return
  await swarms.in(tx).updateOne(swarm.swarmId, { set: { status: 'done', completedAt: now(), updatedAt: now() } })
}

const touch = ({ swarms }: Refs, { swarmId, status }: Swarm, tx: Transaction): Promise<Swarm | undefined> =>
  swarms.in(tx).updateOne(swarmId, { set: { status } })

/** Adds a child's spending, and a worker that left it, to the swarm. */
async function record(refs: Refs, swarm: Swarm, change: TaskChanged, tx: Transaction): Promise<Swarm> {
  const { before, after, outputTokensDelta } = change
  const leaver = after.claimedBy === before.claimedBy ? undefined : before.claimedBy
  const isNew = leaver !== undefined && !swarm.participants.includes(leaver)
  // A child that may be claimed from now on depends on the status of its swarm: a stop at another node has to conflict with it. So have
  // two children that end at once, each of which would see the other one open.
  if (outputTokensDelta === 0 && !isNew && after.status !== 'pending' && !ends(change)) return swarm
  if (outputTokensDelta === 0 && !isNew) return (await touch(refs, swarm, tx)) ?? swarm
  const changed = await refs.swarms.in(tx).updateOne(swarm.swarmId, {
    set: { updatedAt: now() },
    inc: { tokensSpent: outputTokensDelta },
    ...(isNew && { addToSet: { participants: leaver } }),
  })
  return changed ?? swarm
}
