import { type CallContext, type Collection, type Filter, gatewayWide, type Infer, now, type Resolved } from '@gateway/sdk'
import { windows } from '../collections.ts'
import type { Resumption } from '../rules/resume.ts'
import type { Maintenance } from '../schema.ts'

export const maintenanceUses = { own: windows, fleet: gatewayWide(windows) }
type Refs = Resolved<typeof maintenanceUses>
type Window = Infer<(typeof windows)['schema']>

interface Terms extends Resumption {
  readonly reason?: string | undefined
  readonly operator: string
  readonly operatorPrincipal: string
}

const CLAIMS = 'claims'
const inForce: Filter<Window> = { active: true, or: [{ resumeAt: null }, { resumeAt: { gt: now() } }] }

/** Returns the maintenance that applies to the caller's tenant now: the fleet's before its own. */
export async function currentMaintenance({ own, fleet }: Refs): Promise<Maintenance> {
  const [ofFleet, ofTenant] = await Promise.all([fleet.get(CLAIMS), own.get(CLAIMS)])
  const fleetWide = ofFleet?.active && (await inTime(fleet, ofFleet))
  if (fleetWide) return shown(fleetWide, 'fleet')
  const tenantWide = ofTenant?.active && (await inTime(own, ofTenant))
  return tenantWide ? shown(tenantWide, 'tenant') : { active: false }
}

/** Pauses claims in the caller's scope. An open window keeps its start time and gets the new terms. */
export async function enterMaintenance(refs: Refs, terms: Terms, ctx: CallContext): Promise<Maintenance> {
  const { collection, scope } = reachOf(refs, ctx)
  const { reason, operator, operatorPrincipal, resumeInSeconds } = terms
  const resumeAt = resumeInSeconds === undefined ? terms.resumeAt : now(resumeInSeconds)
  const set = { reason, operator, operatorPrincipal, resumeAt }
  const unset = resumeAt === undefined ? (['resumeAt'] as const) : []
  await collection.upsert({ windowId: CLAIMS, active: false }, {})
  const rescheduled = await collection.updateOne(CLAIMS, { set, unset }, inForce)
  if (rescheduled) return shown(rescheduled, scope)
  const stale = (['reason', 'resumeAt'] as const).filter((field) => set[field] === undefined)
  const opened = await collection.updateOne(CLAIMS, { set: { ...set, active: true, enteredAt: now() }, unset: stale })
  return shown(opened ?? { windowId: CLAIMS, active: false }, scope)
}

/** Ends the maintenance in the caller's scope. Returns true if there was any to end. */
export async function exitMaintenance(refs: Refs, ctx: CallContext): Promise<boolean> {
  const { collection } = reachOf(refs, ctx)
  const over = { set: { active: false }, unset: ['reason', 'operator', 'operatorPrincipal', 'enteredAt', 'resumeAt'] } as const
  return (await collection.updateOne(CLAIMS, over, inForce)) !== undefined
}

/** Returns the whole fleet for `system` and `operator`, the caller's own tenant for anyone else. */
function reachOf({ own, fleet }: Refs, ctx: CallContext): { collection: Collection<Window>; scope: 'fleet' | 'tenant' } {
  return ctx.holds('operator') ? { collection: fleet.writable(), scope: 'fleet' } : { collection: own, scope: 'tenant' }
}

/** Returns the window until its end time. Only a window with an end time needs the store's clock, and with it a query. */
async function inTime(windows: Pick<Collection<Window>, 'find'>, window: Window): Promise<Window | undefined> {
  if (window.resumeAt === undefined) return window
  return (await windows.find({ where: { windowId: CLAIMS, active: true, resumeAt: { gt: now() } }, limit: 1 })).items[0]
}

function shown({ windowId: _id, ...window }: Window, scope: 'fleet' | 'tenant'): Maintenance {
  return { ...window, scope }
}
