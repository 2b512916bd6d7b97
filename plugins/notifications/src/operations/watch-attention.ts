import {
  type AttentionSource,
  allOf,
  attentionSource,
  type CallContext,
  isSynthetic,
  LOCAL_TENANT,
  type Resolved,
  type Transaction,
} from '@gateway/sdk'
import { within } from '@gateway/sdk/bounds'
import { attention } from '../collections.ts'
import { BAD, gone, itemIdOf, LATE, type Settings, type Watched, waiting } from '../rules/attention.ts'
import { noteOf, type Told } from '../rules/attention-note.ts'
import type { Notification } from '../schema.ts'
import { quiet } from '../services/quiet.ts'
import { attempt, attempting } from './attempt.ts'
import { compose } from './compose.ts'
import { keep } from './keep.ts'

export const watching = { ...attempting, attention, sources: attentionSource, quiet }
type Refs = Resolved<typeof watching>

/** Items of a source beyond this number are not watched. */
const MAX_ITEMS = 500
const MAX_LOOK_MS = 5_000

/** Looks at every source of the attention queue once; returns the number of alerts. A source that fails is tried again next time. */
export async function watchAttention(refs: Refs, ctx: CallContext): Promise<number> {
  const { level, windowMinutes } = refs.config.attention
  if (level === 'off' || isSynthetic(ctx.tenantId)) return 0
  const least = refs.quiet.isQuiet(ctx.now()) ? Number.POSITIVE_INFINITY : level === 'error' ? BAD : LATE
  let alerts = 0
  for (const source of refs.sources) {
    if (ctx.signal.aborted) break
    if (source.alertIn === 'none' || (source.alertIn === 'local' && ctx.tenantId !== LOCAL_TENANT)) continue
    try {
      if (await watch(refs, source, { least, windowMinutes }, ctx)) alerts++
    } catch (error) {
      ctx.log.warn('a source of the attention queue could not be watched', { kind: source.kind, err: error })
    }
  }
  return alerts
}

/** True if the source raised an alert. Its states and the alert are stored together, so that a kill in between repeats nothing. */
async function watch(refs: Refs, source: AttentionSource, settings: Settings, ctx: CallContext): Promise<boolean> {
  const { kind } = source
  const found = await within(source.look(MAX_ITEMS), MAX_LOOK_MS, undefined)
  if (!found) return false
  const known = await allOf(refs.attention, { where: { kind }, limit: MAX_ITEMS })
  if (known.length === 0 && found.items.length === 0) return false
  const byId = new Map(known.map((state) => [state.itemId, state]))
  const now = ctx.now()
  const looked = found.items.map((item) => {
    const before = byId.get(itemIdOf(kind, item.id))
    byId.delete(itemIdOf(kind, item.id))
    return { item, before, ...waiting(source, item, before, now, settings) }
  })
  // Items beyond the limit may still wait, so nothing is concluded from their absence.
  const absent = found.count > found.items.length ? [] : [...byId.values()]
  const left = absent.map((before) => ({ before, state: gone(before, now, settings.windowMinutes) }))
  const changes = [...looked, ...left].filter(({ before, state }) => JSON.stringify(before) !== JSON.stringify(state))
  const due = looked.filter(({ tell }) => tell)
  if (changes.length === 0) return false
  const alert = await refs.atomically(async (tx) => {
    for (const { before, state } of changes) await write(refs, before, state, tx)
    return due.length === 0 ? undefined : keepAlert(refs, kind, due, tx, ctx)
  })
  if (!alert) return false
  ctx.log.warn('an alert about the attention queue was raised', { kind, items: due.length, notificationId: alert.notificationId })
  await attempt(refs, alert, ctx)
  return true
}

function keepAlert(refs: Refs, kind: string, due: readonly Told[], tx: Transaction, ctx: CallContext): Promise<Notification> {
  return keep(refs, { kind: 'alert', ...compose(noteOf(kind, due), ctx), results: [], attempts: 0 }, tx)
}

async function write({ attention }: Refs, before: Watched | undefined, state: Watched | undefined, tx: Transaction): Promise<void> {
  const states = attention.in(tx)
  if (before && !state) await states.deleteOne(before.itemId)
  if (!state) return
  const { goneAt, alert, since } = state
  const set = { since, ...(goneAt !== undefined && { goneAt }), ...(alert && { alert }) }
  const unset = [...(goneAt === undefined ? (['goneAt'] as const) : []), ...(alert ? [] : (['alert'] as const))]
  await states.upsert(state, { set, ...(unset.length > 0 && { unset }) })
}
