import { risen } from '@gateway/sdk'
import { applyUpdate, type Doc, isStoreTime, toJson, UPDATED_AT } from '@gateway/storage'
import type { Document } from 'mongodb'
import { at, type Layout, pack, type Stored, unpack } from './layout.ts'
import { nowText } from './server-time.ts'

export interface Change {
  readonly filter: Document
  readonly update: Document | Document[]
  /** The document after the change, except for times that the server sets. */
  readonly after: Doc
  /** Names of the fields whose times the server sets. */
  readonly times: readonly string[]
}

/**
 * The update is computed here, by the rules that all stores share, and written on the condition that the document is still at
 * the revision it was read at. With `serverTimes`, times in `set` and the filter's comparisons with now are left to the server:
 * whatever a paused process believed the time to be, the server's clock decides.
 */
export function changeOf(
  stored: Stored,
  layout: Layout,
  update: object,
  where: object | undefined,
  nowMs: number,
  serverTimes: boolean,
): Change {
  const after = toJson(unpack(stored)) as Record<string, unknown>
  // Any earlier time gives the first one that is later than the present one.
  const nextTime = risen(after[UPDATED_AT] as string | undefined, '')
  applyUpdate(after, update, layout.key, nowMs)
  const next = { ...pack(layout, stored.t, after, stored.r + 1), ...(stored.c && { c: stored.c }) }
  // Contains the tenant, which is the shard key: a change of one document has to name its shard.
  const filter: Document = { _id: stored._id, t: stored.t, r: stored.r }
  if (!serverTimes) return { filter, update: next, after, times: [] }
  const guards = timeGuards(where)
  if (guards.length > 0) filter.$expr = { $and: guards }
  const times = Object.entries((update as { set?: object }).set ?? {}).filter(([, value]) => isStoreTime(value))
  const set = Object.fromEntries(
    times.map(([field, { $now }]: [string, { $now: number }]) => [
      at(field),
      field === UPDATED_AT ? { $max: [nowText($now), nextTime] } : nowText($now),
    ]),
  )
  // Written as a literal, because text that begins with a dollar would be read as a field.
  const fields = Object.fromEntries(Object.entries(next).map(([name, value]) => [name, { $literal: value }]))
  const replace = { $replaceWith: { $mergeObjects: [{ _id: '$_id' }, fields] } }
  return { filter, update: times.length === 0 ? [replace] : [replace, { $set: set }], after, times: times.map(([field]) => field) }
}

const COMPARISONS: Readonly<Record<string, string>> = { eq: '$eq', lt: '$lt', lte: '$lte', gt: '$gt', gte: '$gte' }

/**
 * The filter's comparisons with the store's time, as expressions; those under `or` and `not` were checked when the filter was
 * read.
 */
export function timeGuards(where: object | undefined): Document[] {
  const guards: Document[] = []
  for (const [field, entry] of Object.entries(where ?? {})) {
    if (field === 'and') for (const part of entry as object[]) guards.push(...timeGuards(part))
    if (field === 'and' || field === 'or' || field === 'not' || typeof entry !== 'object' || entry === null) continue
    for (const [operator, operand] of Object.entries(isStoreTime(entry) ? { eq: entry } : entry)) {
      const comparison = COMPARISONS[operator]
      if (comparison && isStoreTime(operand)) guards.push({ [comparison]: [`$${at(field)}`, nowText(operand.$now)] })
    }
  }
  return guards
}
