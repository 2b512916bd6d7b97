import { isAddress, mailbox, parseAddress } from '@gateway/plugin-mailbox/api'
import { runnerAddresses } from '@gateway/plugin-runners/api'
import { taskQueue } from '@gateway/plugin-tasks/api'
import {
  atomically,
  checkUnchanged,
  now,
  optional,
  type Principal,
  principalName,
  type Resolved,
  resourceUpdated,
  type Transaction,
} from '@gateway/sdk'
import { swarms } from '../collections.ts'
import { swarmUri } from '../rules/swarm-uri.ts'
import type { Swarm } from '../schema.ts'
import { stoppedNews, swarmStopped } from './news.ts'
import { unknownSwarm } from './view.ts'

export const stopUses = {
  swarms,
  atomically,
  queue: taskQueue,
  mail: mailbox,
  runners: optional(runnerAddresses),
  stopped: swarmStopped,
  updated: resourceUpdated,
}
type Refs = Resolved<typeof stopUses>

const OPERATOR = 'operator'

export interface Stop {
  readonly swarmId: string
  readonly stoppedBy: string
  readonly principal: Principal
  readonly reason: string | undefined
  readonly ifUpdatedAt?: string | undefined
}

/** Outcome of a stop: the number of paused children and of sent messages. */
export interface Stopped {
  readonly swarm: Swarm
  readonly paused: number
  readonly mailed: number
}

/** Stops a swarm, also one that waits for approval or has used up its budget. A stopped or done one stays unchanged. */
export function stopSwarm(refs: Refs, { swarmId, stoppedBy, principal, reason, ifUpdatedAt }: Stop): Promise<Stopped> {
  return refs.atomically(async (tx) => {
    const before = await refs.swarms.in(tx).get(swarmId)
    if (!before) throw unknownSwarm(swarmId)
    checkUnchanged(before, ifUpdatedAt)
    if (before.status === 'stopped' || before.status === 'done') return { swarm: before, paused: 0, mailed: 0 }
    // The running sessions are known only before their children are paused.
    const concerned = [before.plannedBy, ...before.participants, ...(await workersOf(refs, swarmId, tx))]
    const swarm = await refs.swarms.in(tx).updateOne(swarmId, {
      set: {
        status: 'stopped',
        stoppedBy,
        stoppedByPrincipal: principalName(principal),
        stoppedAt: now(),
        stopReason: reason,
        updatedAt: now(),
      },
      unset: ['pausedBy', ...(reason === undefined ? (['stopReason'] as const) : [])],
    })
    const paused = await refs.queue.swarms(tx).pause(swarmId)
    const mailed = await tell(refs, swarm ?? before, concerned, tx)
    tx.afterCommit(() => refs.updated.emit({ uri: swarmUri(swarmId) }))
    await refs.stopped.emit(stoppedNews(swarm ?? before), tx)
    return { swarm: swarm ?? before, paused: paused.length, mailed }
  })
}

async function workersOf({ queue }: Refs, swarmId: string, tx: Transaction): Promise<readonly string[]> {
  return (await queue.children(swarmId, tx)).flatMap(({ claimedBy }) => claimedBy ?? [])
}

/**
 * Sends each message once: to the address that the worker's runner registered, or else to the name. A worker may use a name that is not an address: it has no mailbox, and that must not keep the rest
 * from stopping.
 */
async function tell(refs: Refs, { swarmId, goal, stoppedBy = OPERATOR, stopReason }: Swarm, names: readonly string[], tx: Transaction) {
  const reached = await Promise.all([...new Set(names)].map(async (name) => (await refs.runners?.of(name)) ?? name))
  const addresses = new Set(reached.filter(isAddress).map((name) => parseAddress('to', name)))
  for (const to of addresses) {
    await refs.mail.postIn(tx, {
      to,
      from: isAddress(stoppedBy) ? stoppedBy : OPERATOR,
      kind: 'swarm',
      swarmId,
      subject: `Swarm ${swarmId} was stopped`,
      body: `${stoppedBy} has stopped “${goal}”${stopReason === undefined ? '' : `: ${stopReason}`}. What was open is paused; end your work on it.`,
    })
  }
  return addresses.size
}
