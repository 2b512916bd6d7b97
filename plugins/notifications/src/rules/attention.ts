import type { AttentionItem, AttentionSource, Infer } from '@gateway/sdk'
import { decideAlert } from '@gateway/sdk/alerting'
import type { attention } from '../collections.ts'

export type Watched = Infer<(typeof attention)['schema']>
type Source = Pick<AttentionSource, 'kind' | 'alertAfterSeconds'>

export interface Settings {
  readonly windowMinutes: number
  /** Least severity that is told now; infinite during quiet hours. */
  readonly least: number
}
/** An item after a look: the state to keep, and true if its alert is due. */
export interface Looked {
  readonly state: Watched
  readonly tell: boolean
}

/** Severities: something has stopped, or waits too long. */
export const BAD = 2
export const LATE = 1

export const itemIdOf = (kind: string, id: string): string => `${kind}:${id}`

function severityOf({ tone }: AttentionItem, since: string, { alertAfterSeconds }: Source, now: Date): number {
  if (tone === 'bad') return BAD
  return alertAfterSeconds !== undefined && now.getTime() - Date.parse(since) >= alertAfterSeconds * 1_000 ? LATE : 0
}

/** An item that waits. One that may not be told now stays untold, so that a later look tells it. */
export function waiting(
  source: Source,
  item: AttentionItem,
  known: Watched | undefined,
  now: Date,
  { windowMinutes, least }: Settings,
): Looked {
  const entered = item.at !== '' && item.at < now.toISOString() ? item.at : now.toISOString()
  const since = known && known.goneAt === undefined ? known.since : entered
  const severity = severityOf(item, since, source, now)
  const { say, state } = decideAlert(known?.alert, severity, now, windowMinutes)
  const tell = say === 'raised' && severity >= least
  const alert = say === 'raised' && !tell ? known?.alert : state
  return { state: { itemId: itemIdOf(source.kind, item.id), kind: source.kind, since, ...(alert && { alert }) }, tell }
}

/** The state of an item that no longer waits; `undefined` when it can be forgotten. */
export function gone(known: Watched, now: Date, windowMinutes: number): Watched | undefined {
  const { state: alert } = decideAlert(known.alert, 0, now, windowMinutes)
  return alert && { ...known, goneAt: known.goneAt ?? now.toISOString(), alert }
}
