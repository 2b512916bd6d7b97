import { type CallContext, gatewayWide, outsideTheStore, type Resolved, tenantAdmin, tenantRemoval } from '@gateway/sdk'
import { endings } from '../collections.ts'
import type { Asked, Ending } from '../schema.ts'

export const removalUses = { tenants: tenantAdmin, removal: tenantRemoval, outside: outsideTheStore, endings: gatewayWide(endings) }
type Refs = Resolved<typeof removalUses>

/**
 * Everything of a tenant that is deleted: counted, written down, removed. Each step may be repeated: after a kill the next call goes on
 * where this one was.
 */
export async function removeTenant(refs: Refs, tenantId: string, asked: Asked, ctx: CallContext): Promise<Ending> {
  const known = await refs.endings.get(tenantId)
  const ending = known ?? (await begin(refs, tenantId, asked, ctx))
  await removeAll(refs, tenantId, ctx)
  const left = await whatIsLeft(refs, tenantId)
  if (Object.keys(left).length > 0) throw new Error(`something is left: ${JSON.stringify(left)}`)
  return ending
}

async function begin(refs: Refs, tenantId: string, asked: Asked, ctx: CallContext): Promise<Ending> {
  const counted = await whatIsLeft(refs, tenantId)
  const ending: Ending = { ended: tenantId, asked, phase: 'removing', counted, startedAt: ctx.now().toISOString() }
  // Who was quicker has counted before anything went.
  return refs.endings.writable().upsert(ending, {})
}

/** The number of documents removed. */
export async function removeAll({ removal, outside }: Refs, tenantId: string, { signal }: CallContext): Promise<number> {
  let removed = 0
  for (let batch = 1; batch > 0; removed += batch) {
    signal.throwIfAborted()
    batch = await removal.removeSome(tenantId)
  }
  for (const part of outside) await part.remove(tenantId)
  await removal.removeTrail(tenantId)
  return removed
}

export async function whatIsLeft({ removal, outside }: Refs, tenantId: string): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = { ...(await removal.holds(tenantId)) }
  for (const { name, count } of outside) {
    const there = await count(tenantId)
    if (there > 0) counts[name] = there
  }
  return counts
}
