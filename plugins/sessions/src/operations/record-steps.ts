import { type Atomically, now } from '@gateway/sdk'
import type { SessionStep } from '../api.ts'
import { firstBranch, hostSession, hostView, type KeeperUses } from './session-of-host.ts'

/** Undoes a transaction: a session that goes on needs its branch first. */
class NoBranch extends Error {}

/**
 * Keeps steps of a session, and returns the number of new ones. New steps of a session that has ended, or was taken for dead, bring
 * it back, so that its next end keeps them; steps that are told again do not, unless no keeper can tell them apart. The steps and
 * the change of the session are one: an end that did not see the steps finds the session changed, and after a failure all of it can
 * be told again.
 */
export async function recordSteps(
  sessionId: string,
  steps: readonly SessionStep[],
  uses: KeeperUses & { readonly atomically: Atomically },
): Promise<number> {
  const { keepers, sessions, atomically } = uses
  const session = hostView(await hostSession(sessionId, uses))
  const record = (hasBranch: boolean): Promise<number> =>
    atomically(async (tx) => {
      let recorded = 0
      for (const keeper of keepers) recorded = Math.max(recorded, await keeper.observed(session, steps, tx))
      const active = await sessions.in(tx).updateOne(sessionId, { set: { updatedAt: now() } }, { status: 'active' })
      if (active || (keepers.length > 0 && recorded === 0)) return recorded
      if (!hasBranch) throw new NoBranch()
      await sessions.in(tx).updateOne(sessionId, { set: { status: 'active', updatedAt: now() }, unset: ['closedAt', 'ending'] })
      return recorded
    })
  try {
    return await record(false)
  } catch (error) {
    if (!(error instanceof NoBranch)) throw error
    await firstBranch(session, keepers)
    return record(true)
  }
}
