import { type CallContext, externalData, gatewayWide, type Resolved, tenantAdmin, tenantMentions, tenantRemoval } from '@gateway/sdk'
import { endings } from '../collections.ts'
import type { Asked, Ending, Late } from '../schema.ts'

export const removalUses = {
  tenants: tenantAdmin,
  removal: tenantRemoval,
  outside: externalData,
  mentions: tenantMentions,
  endings: gatewayWide(endings),
}
type Refs = Resolved<typeof removalUses>

/**
 * Removes everything of a deleted tenant: counted, recorded, removed. Each step may be repeated: after a crash the next call
 * continues there.
 */
export async function removeTenant(refs: Refs, tenantId: string, asked: Asked, ctx: CallContext): Promise<Ending> {
  const known = await refs.endings.get(tenantId)
  const ending = known ?? (await begin(refs, tenantId, asked, ctx))
  await removeAll(refs, tenantId, ctx)
  const left = await countRemaining(refs, tenantId)
  if (Object.keys(left).length > 0) throw new Error(`data is left: ${JSON.stringify(left)}`)
  return ending
}

async function begin(refs: Refs, tenantId: string, asked: Asked, ctx: CallContext): Promise<Ending> {
  const counted = await countRemaining(refs, tenantId)
  const startedAt = ctx.now().toISOString()
  const ending: Ending = { ended: tenantId, asked, phase: 'removing', counted, proofId: ctx.newId('removal-'), startedAt }
  // A faster sweep has counted before anything was removed.
  return refs.endings.writable().upsert(ending, {})
}

/**
 * Data that a call under way at the end had still written: counted and recorded, then removed. Undefined if nothing was found, and
 * none from earlier that waits for its proof.
 */
export async function removeLate(refs: Refs, ended: string, ctx: CallContext): Promise<{ ended: string; late: Late } | undefined> {
  const counted = await countRemaining(refs, ended)
  const known = (await refs.endings.get(ended))?.late
  if (!known && Object.keys(counted).length === 0) return undefined
  const late = known ?? { counted, proofId: ctx.newId('removal-'), foundAt: ctx.now().toISOString() }
  if (!known) await refs.endings.writable().updateOne(ended, { set: { late } })
  await removeAll(refs, ended, ctx)
  return { ended, late }
}

async function removeAll({ removal, outside, mentions }: Refs, tenantId: string, ctx: CallContext): Promise<void> {
  let removed = 0
  for (let some = 1; some > 0; removed += some) {
    // Shows the caller that it continues, and renews its time limit, because a large tenant takes minutes.
    ctx.progress(removed, undefined, 'documents removed')
    ctx.signal.throwIfAborted()
    some = await removal.removeSome(tenantId)
  }
  for (const part of [...mentions, ...outside]) await part.remove(tenantId)
  await removal.removeTrail(tenantId)
}

async function countRemaining({ removal, outside, mentions }: Refs, tenantId: string): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = { ...(await removal.holds(tenantId)) }
  for (const part of [...mentions, ...outside]) {
    const existing = await part.count(tenantId)
    if (existing > 0) counts[part.name] = (counts[part.name] ?? 0) + existing
  }
  return counts
}
