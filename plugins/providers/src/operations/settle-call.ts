import type { CallContext, Resolved } from '@gateway/sdk'
import { breakerOutcome } from '../rules/failure.ts'
import type { ProviderName } from '../schema.ts'
import type { Asked } from './ask.ts'
import type { ProviderGate, ProviderPermit } from './provider-gate.ts'
import { pool } from './provider-pool.ts'
import { publishChange, publishUses } from './publish-change.ts'
import type { Change } from './shared-state.ts'

const settleUses = { ...publishUses, pool }
type Refs = Resolved<typeof settleUses>

/** Records the end of a call in its provider’s counts, breaker and cooldown, and publishes a changed breaker to other nodes. */
export async function settleCall(
  refs: Refs,
  provider: ProviderName,
  entered: ProviderPermit,
  asked: Asked,
  ctx: CallContext,
): Promise<void> {
  const gate = refs.pool.gate(provider)
  const now = ctx.now().getTime()
  const before = gate.breaker(now)
  count(gate, asked)
  const retryAfterMs = asked.ok ? undefined : asked.failure?.retryAfterMs
  if (retryAfterMs !== undefined) gate.coolDown(retryAfterMs, now)
  entered.end(asked.ok ? 'worked' : asked.failure ? breakerOutcome(asked.failure) : 'unknown', now)
  const change = changeOf(before, gate.breaker(now))
  if (!change) return
  // A caller that has its answer is not refused because other nodes miss the message; they notice by themselves.
  await publishChange(refs, { provider, at: ctx.now().toISOString(), ...change }, ctx).catch((error: unknown) =>
    ctx.log.warn('the state of a provider could not be published to other nodes', { err: error, provider }),
  )
}

type Breaker = ReturnType<ProviderGate['breaker']>

function changeOf(before: Breaker, after: Breaker): Pick<Change, 'change' | 'openUntil'> | undefined {
  if (after.openUntil !== undefined && after.openUntil !== before.openUntil) {
    return { change: 'opened', openUntil: new Date(after.openUntil).toISOString() }
  }
  return after.state === 'closed' && before.state !== 'closed' ? { change: 'closed' } : undefined
}

function count({ counts }: ProviderGate, asked: Asked): void {
  if (asked.ok) counts.succeeded++
  else if (asked.failure?.reason === 'refused') counts.refused++
  else if (asked.failure?.reason === 'rate_limited') counts.rateLimited++
  else if (asked.failure) counts.failed++
  if (!asked.ok && asked.failure?.reason === 'timeout') counts.timedOut++
}
