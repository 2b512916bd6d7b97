import { type CallContext, Conflict, now } from '@gateway/sdk'
import { Turns } from '@gateway/sdk/bounds'
import type { SessionEnd } from '../api.ts'
import { firstBranch, hostSession, hostView, type KeeperUses } from './session-of-host.ts'

const turns = new Turns()

/** An end takes seconds. A gateway that was killed in the middle of one holds up the next for this long. */
const CLAIM_SECONDS = 60
const STEPS_CAME = 'The session stays open: it reported steps while it was ended.'

/**
 * Ends a session: what it learned is kept, then it is closed. An end that is told again does nothing more; ends at the same time take
 * turns in this process, and of several gateways one ends the session.
 */
export function endSession(sessionId: string, end: SessionEnd, uses: KeeperUses, ctx: Pick<CallContext, 'tenantId'>) {
  return turns.run(`${ctx.tenantId} ${sessionId}`, () => endInTurn(sessionId, end, uses))
}

async function endInTurn(sessionId: string, end: SessionEnd, uses: KeeperUses) {
  const { sessions, keepers } = uses
  const before = await hostSession(sessionId, uses)
  const open = { or: [{ status: 'active' }, { ending: { ne: 'ended' } }] } as const
  const free = { or: [{ endingUntil: null }, { endingUntil: { lt: now() } }] } as const
  const session = await sessions.updateOne(sessionId, { set: { endingUntil: now(CLAIM_SECONDS) } }, { and: [open, free] })
  if (!session) {
    if (before.status === 'closed' && before.ending === 'ended') return { sessionId, status: 'closed' as const, merged: false }
    throw Conflict({ message: `The session ${sessionId} is being ended by another gateway. Try again.` })
  }
  try {
    const kept = await Promise.all(keepers.map((keeper) => keeper.ended(hostView(session), end)))
    const set = { status: 'closed', ending: end.ending, closedAt: now(), updatedAt: now() } as const
    const closed = await sessions.updateOne(sessionId, { set }, { updatedAt: session.updatedAt })
    // The branch was merged with what the session had before.
    if (!closed) await firstBranch(hostView(session), keepers)
    const note = closed ? kept.find((one) => one.note !== undefined)?.note : STEPS_CAME
    return {
      sessionId,
      status: closed ? ('closed' as const) : ('active' as const),
      merged: kept.some(({ merged }) => merged),
      ...(note !== undefined && { note }),
    }
  } finally {
    await sessions.updateOne(sessionId, { unset: ['endingUntil'] }, { endingUntil: session.endingUntil as string })
  }
}
