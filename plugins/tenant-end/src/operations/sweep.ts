import type { CallContext, Resolved, Tenant } from '@gateway/sdk'
import { config } from '../config.ts'
import { daysBefore, dueTenants, fieldOf } from '../rules/due.ts'
import type { Asked, Ending, Swept } from '../schema.ts'
import { turns } from '../services/turns.ts'
import { prove, proveLate } from './prove.ts'
import { removalUses, removeLate, removeTenant } from './remove-tenant.ts'

export const sweepUses = { ...removalUses, config, turns }
type Refs = Resolved<typeof sweepUses>

/** An answer names all of them; the rest waits for the next sweep, within the hour. */
const MAX_AT_ONCE = 100

/**
 * Removes tenants whose grace time is over, one by one:
 *
 * 1. Deleted, on the condition that the request still exists and there is no legal hold: nobody calls for them any more.
 * 2. Counted, then removed in batches.
 * 3. The files of the store are rewritten, once for all of them.
 * 4. The proof is written to the operator's audit trail, once, and then the removal is done.
 */
export function sweep(refs: Refs, asked: Asked, ctx: CallContext): Promise<Swept> {
  return refs.turns.take(() => sweepInTurn(refs, asked, ctx))
}

async function sweepInTurn(refs: Refs, asked: Asked, ctx: CallContext): Promise<Swept> {
  const graceDays = asked === 'erasure' ? refs.config.erasureGraceDays : refs.config.cancellationGraceDays
  const before = daysBefore(ctx.now(), graceDays)
  const tenants = await refs.tenants.list()
  const due = dueTenants(tenants, await endingsOf(refs, tenants), { asked, before, now: ctx.now() })
  const failed: { tenantId: string; error: string }[] = []
  const each = async <T>(those: readonly Tenant[], work: (tenantId: string) => Promise<T>): Promise<readonly T[]> => {
    const done: T[] = []
    for (const { tenantId } of those) {
      ctx.signal.throwIfAborted()
      try {
        done.push(await work(tenantId))
      } catch (error) {
        ctx.log.error('a tenant could not be removed; the next sweep continues', { error: String(error) })
        failed.push({ tenantId, error: error instanceof Error ? error.message : String(error) })
      }
    }
    return done
  }

  const late = await each(due.recent, (tenantId) => removeLate(refs, tenantId, ctx))
  const all = [...due.unfinished, ...due.fresh]
  const isFresh = new Set(due.fresh.map(({ tenantId }) => tenantId))
  const gone = await each(all.slice(0, MAX_AT_ONCE), async (tenantId) => {
    if (isFresh.has(tenantId) && !(await refs.tenants.end(tenantId, fieldOf[asked], before))) return undefined
    return removeTenant(refs, tenantId, asked, ctx)
  })
  const endings = gone.filter((ending) => ending !== undefined)
  const latest = late.filter((ending) => ending !== undefined)
  const files = endings.length + latest.length > 0 ? await refs.removal.scrub() : 'done'
  for (const ending of endings) await prove(refs, ending, files, ctx)
  for (const { ended, late } of latest) await proveLate(refs, ended, late, files)
  return {
    count: endings.length,
    removed: endings.map(({ ended, counted }) => ({ tenantId: ended, counted, files })),
    held: due.held.slice(0, MAX_AT_ONCE),
    failed,
    waiting: Math.max(all.length - MAX_AT_ONCE, 0),
  }
}

async function endingsOf({ endings }: Refs, tenants: readonly Tenant[]): Promise<ReadonlyMap<string, Ending>> {
  const found = new Map<string, Ending>()
  const ids = tenants.filter(({ status }) => status === 'deleted').map(({ tenantId }) => tenantId)
  for (let from = 0; from < ids.length; from += 1_000)
    for (const ending of await endings.getMany(ids.slice(from, from + 1_000))) found.set(ending.ended, ending)
  return found
}
