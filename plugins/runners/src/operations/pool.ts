import { atomically, type CallContext, type Holder, type Infer, principalName, type Resolved, type Transaction } from '@gateway/sdk'
import { pastSessions, slotLeases } from '../collections.ts'
import { allot } from '../rules/allot.ts'
import { type EndReason, MAX_SLOTS, type SlotLease } from '../schema.ts'

export const poolUses = { slotLeases, pastSessions, atomically }
type Refs = Resolved<typeof poolUses>
type Stored = Infer<(typeof slotLeases)['schema']>

interface Session extends Holder {
  readonly machine?: string | undefined
  readonly account?: string | undefined
  readonly taskId?: string | undefined
}

/**
 * Returns a slot for this session, or `undefined` when all are in use. A holder gets its own again, and nothing else if `ownOnly`.
 */
export function acquireSlot(
  refs: Refs,
  {
    slots,
    leaseSeconds,
    ownOnly,
    ...session
  }: Session & { readonly slots: number; readonly leaseSeconds: number; readonly ownOnly: boolean },
  ctx: CallContext,
): Promise<SlotLease | undefined> {
  return refs.atomically(async (tx) => {
    const { items } = await refs.slotLeases.in(tx).find({ limit: MAX_SLOTS })
    const own = items.find((held) => isHeldBy(held, session))
    if (own && !isOtherAccount(own, session.account)) return extend(refs, own, session, leaseSeconds, tx)
    if (own) await end(refs, own, 'account_mismatch', tx, ctx)
    if (ownOnly) return undefined
    const allotment = allot(
      items.filter((held) => held !== own),
      slots,
      tx.now,
    )
    if (!allotment) return undefined
    for (const stale of allotment.reclaimed) await end(refs, stale, 'reclaimed', tx, ctx)
    const { slot } = allotment
    const acquired = {
      slotId: String(slot),
      slot,
      ...session,
      holderId: ctx.principal.id,
      holderPrincipal: principalName(ctx.principal),
      acquiredAt: tx.now.toISOString(),
      ...term(leaseSeconds, tx),
    }
    return shown(await refs.slotLeases.in(tx).insert(acquired as Stored))
  })
}

export type Kept =
  | { readonly ok: true; readonly lease: SlotLease }
  | { readonly ok: false; readonly reason: 'not_held' | 'account_mismatch' }

/** Extends a slot, if it still belongs to this holder and the account is the one it was acquired under. */
export function keepSlot(
  refs: Refs,
  { slot, leaseSeconds, ...session }: Omit<Session, 'machine'> & { readonly slot: number; readonly leaseSeconds: number },
  ctx: CallContext,
): Promise<Kept> {
  return refs.atomically(async (tx): Promise<Kept> => {
    const own = await refs.slotLeases.in(tx).get(String(slot))
    if (!own || !isHeldBy(own, session)) return { ok: false, reason: 'not_held' }
    if (!isOtherAccount(own, session.account)) return { ok: true, lease: await extend(refs, own, session, leaseSeconds, tx) }
    await end(refs, own, 'account_mismatch', tx, ctx)
    return { ok: false, reason: 'account_mismatch' }
  })
}

/** Releases a slot. Returns true if it belonged to this holder. */
export function releaseSlot(refs: Refs, { slot, ...holder }: Holder & { readonly slot: number }, ctx: CallContext): Promise<boolean> {
  return refs.atomically(async (tx) => {
    const own = await refs.slotLeases.in(tx).get(String(slot))
    if (!own || !isHeldBy(own, holder)) return false
    await end(refs, own, 'released', tx, ctx)
    return true
  })
}

/**
 * A name that its caller gave is enough; that of a key holds for this key only. A slot of a version that kept no key belongs to the first
 * key of this name that extends it.
 */
function isHeldBy(held: Stored, { holder, holderId }: Holder): boolean {
  return held.holder === holder && (holderId === undefined || (held.holderId ?? holderId) === holderId)
}

/** A session that named no account is not bound to any. */
function isOtherAccount(own: SlotLease, account: string | undefined): boolean {
  return account !== undefined && own.account !== undefined && account !== own.account
}

async function extend(refs: Refs, own: Stored, session: Session, leaseSeconds: number, tx: Transaction): Promise<SlotLease> {
  const set = { ...session, ...term(leaseSeconds, tx) }
  return shown((await refs.slotLeases.in(tx).updateOne(own.slotId, { set })) ?? own)
}

async function end({ slotLeases, pastSessions }: Refs, own: Stored, endReason: EndReason, tx: Transaction, ctx: CallContext) {
  const { slotId, holderId: _holderId, heartbeat: _heartbeat, leaseUntil: _leaseUntil, ...session } = own
  await slotLeases.in(tx).deleteOne(slotId)
  const durationMs = Math.max(0, tx.now.getTime() - Date.parse(own.acquiredAt))
  await pastSessions
    .in(tx)
    .insert({ sessionId: ctx.newId('session-'), ...session, releasedAt: tx.now.toISOString(), durationMs, endReason })
}

function term(leaseSeconds: number, { now }: Transaction): Pick<SlotLease, 'heartbeat' | 'leaseUntil'> {
  return { heartbeat: now.toISOString(), leaseUntil: new Date(now.getTime() + leaseSeconds * 1000).toISOString() }
}

export function shown({ slotId: _slotId, holderId: _holderId, ...lease }: Stored): SlotLease {
  return lease
}
