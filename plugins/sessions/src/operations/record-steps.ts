import { now } from '@gateway/sdk'
import type { SessionStep } from '../api.ts'
import { firstBranch, hostSession, hostView, type KeeperUses } from './session-of-host.ts'

/**
 * Keeps steps of a session, and returns the number of new ones. New steps of a session that has ended, or was taken for dead, bring
 * it back, so that its next end keeps them; steps that are told again do not. This follows the steps: an end that did not see them
 * finds the session changed.
 */
export async function recordSteps(sessionId: string, steps: readonly SessionStep[], uses: KeeperUses): Promise<number> {
  const { keepers, sessions } = uses
  const session = hostView(await hostSession(sessionId, uses))
  const kept = await Promise.all(keepers.map((keeper) => keeper.observed(session, steps)))
  const active = await sessions.updateOne(sessionId, { set: { updatedAt: now() } }, { status: 'active' })
  const recorded = Math.max(0, ...kept)
  if (!active && recorded > 0) {
    await firstBranch(session, keepers)
    await sessions.updateOne(sessionId, { set: { status: 'active', updatedAt: now() }, unset: ['closedAt', 'ending'] })
  }
  return recorded
}
