import type { CallContext, Resolved } from '@gateway/sdk'
import { hereTurns } from '../services/here-turns.ts'
import { candidatesHere, hasSettled } from './candidates.ts'
import { cycleUses, overBudget } from './cycle.ts'
import { reservedHere } from './reserved.ts'

export const readyHereUses = { ...cycleUses, turns: hereTurns }
type Refs = Resolved<typeof readyHereUses>

/** Time in which a task may still be changed, claimed or dispatched by its author before the gateway takes it up. */
const SETTLE_SECONDS = 10
const LOOKED_AT = 50
/** Tasks of a turn; the next turn, seconds later, goes on. */
const PER_TURN = 5
/** Agents have the tools of a member: a task must not lend its author the rights of the gateway. */
const AS = { id: 'dispatch', role: 'member' } as const

/**
 * Executes the ready tasks of agents that run here, by a dispatch cycle for them alone. A tenant without such tasks costs the queries of
 * `readyReserved`; one whose tasks are held back by a gate, a budget or a provider is left alone for a while.
 */
export async function runReadyHere(refs: Refs, ctx: CallContext): Promise<number> {
  if (!refs.config.runHere || !refs.turns.begin(ctx.tenantId, ctx.now())) return 0
  try {
    const ready = await refs.queue.readyReserved([reservedHere(refs.runners)], LOOKED_AT)
    const areSettled = ready.some(hasSettled(SETTLE_SECONDS, ctx))
    // Settled tasks may stand behind as many new ones as were looked at.
    if (!areSettled && ready.length < LOOKED_AT) return 0
    const done = (await isHeldBack(refs, ctx)) ? 0 : await cycleHere(refs)
    if (done === 0 && areSettled) refs.turns.rest(ctx.tenantId, ctx.now())
    return done
  } finally {
    refs.turns.end(ctx.tenantId)
  }
}

async function isHeldBack(refs: Refs, ctx: CallContext): Promise<boolean> {
  const reason = (await refs.queue.closed()) ?? (await overBudget(refs, undefined))
  return reason !== undefined || (await candidatesHere(refs, { wanted: 1, settledSeconds: SETTLE_SECONDS }, ctx)).tasks.length === 0
}

async function cycleHere({ toolbox }: Refs): Promise<number> {
  const { result } = await toolbox.call('dispatch_here', { maxTasks: PER_TURN, settledSeconds: SETTLE_SECONDS }, { as: AS })
  return (result as { dispatched: readonly object[] }).dispatched.length
}
