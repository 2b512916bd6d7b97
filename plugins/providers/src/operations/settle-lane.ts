import type { CallContext, Resolved } from '@gateway/sdk'
import { breakerOutcome } from '../rules/failure.ts'
import type { ProviderName } from '../schema.ts'
import type { Asked } from './ask.ts'
import { host } from './host.ts'
import type { Entered, Lane } from './lane.ts'
import type { Change } from './shared-state.ts'
import { tell, tellUses } from './tell.ts'

const settleUses = { ...tellUses, host }
type Refs = Resolved<typeof settleUses>

/** A call has ended: its provider’s counts, breaker and rest learn of it, and other nodes when the breaker has changed. */
export async function settleLane(refs: Refs, provider: ProviderName, entered: Entered, asked: Asked, ctx: CallContext): Promise<void> {
  const lane = refs.host.lane(provider)
  const now = ctx.now().getTime()
  const before = lane.breaker(now)
  count(lane, asked)
  const retryAfterMs = asked.ok ? undefined : asked.failure?.retryAfterMs
  if (retryAfterMs !== undefined) lane.restsUntil = Math.max(lane.restsUntil, now + retryAfterMs)
  entered.end(asked.ok ? 'worked' : asked.failure ? breakerOutcome(asked.failure) : 'unknown', now)
  const change = changeOf(before, lane.breaker(now))
  if (!change) return
  // A caller that has its answer is not refused because other nodes miss the message; they notice by themselves.
  await tell(refs, { provider, at: ctx.now().toISOString(), ...change }, ctx).catch((error: unknown) =>
    ctx.log.warn('other nodes could not be told how a provider stands', { err: error, provider }),
  )
}

type Breaker = ReturnType<Lane['breaker']>

function changeOf(before: Breaker, after: Breaker): Pick<Change, 'change' | 'openUntil'> | undefined {
  if (after.openUntil !== undefined && after.openUntil !== before.openUntil) {
    return { change: 'opened', openUntil: new Date(after.openUntil).toISOString() }
  }
  return after.state === 'closed' && before.state !== 'closed' ? { change: 'closed' } : undefined
}

function count({ counts }: Lane, asked: Asked): void {
  if (asked.ok) counts.succeeded++
  else if (asked.failure?.reason === 'refused') counts.refused++
  else if (asked.failure?.reason === 'rate_limited') counts.rateLimited++
  else if (asked.failure) counts.failed++
  if (!asked.ok && asked.failure?.reason === 'timeout') counts.timedOut++
}
