import { type CallContext, defined, type Resolved } from '@gateway/sdk'
import { type MemoryContributor, type MemoryOrigin, memoryContributor, type OriginReplaced } from '../api.ts'
import { dueOrigins, stamps } from '../collections.ts'
import { replaceOrigin } from './origins.ts'
import { type Call, memoryUses } from './uses.ts'

export const followUses = { ...memoryUses, contributors: memoryContributor, dueOrigins, stamps }
export type FollowUses = Resolved<typeof followUses>

/** Origins that one run of the job reads; the next run continues. */
const MAX_DUE = 200

/** Notes that an origin is about to change. The note stays until the origin was read after the change. */
export async function noteChange(
  origin: string,
  { dueOrigins }: { readonly dueOrigins: Pick<FollowUses['dueOrigins'], 'upsert'> },
  call: Pick<CallContext, 'now'>,
): Promise<void> {
  const at = call.now().toISOString()
  await dueOrigins.upsert({ origin, at }, { set: { at } })
}

/** Indexes one origin as it is now. Returns false, and keeps its note, when it cannot be read. */
export async function refreshOrigin(origin: string, uses: FollowUses, call: Call): Promise<boolean> {
  const due = await uses.dueOrigins.get(origin)
  try {
    await indexNow(origin, uses, call)
  } catch (error) {
    call.signal.throwIfAborted()
    call.log.warn('A changed document could not be indexed; it is tried again', { origin, err: error })
    return false
  }
  if (due) await uses.dueOrigins.deleteOne(origin, { at: due.at })
  return true
}

/** Indexes the origins whose change was noted and whose writer did not get to it. */
export async function refreshDue(uses: FollowUses, call: Call): Promise<number> {
  let refreshed = 0
  for (const { origin } of (await uses.dueOrigins.find({ sort: { at: 1 }, limit: MAX_DUE })).items) {
    call.signal.throwIfAborted()
    if (await refreshOrigin(origin, uses, call)) refreshed++
  }
  return refreshed
}

/** Indexes the files that other programs changed since they were last indexed, and drops those that are gone. */
export async function followFiles(uses: FollowUses, call: Call): Promise<number> {
  let refreshed = 0
  for (const contributor of uses.contributors) {
    const { name } = contributor
    const listed = await contributor.origins?.('all')
    if (!listed) continue
    for (const one of listed) {
      call.signal.throwIfAborted()
      const origin = `${name}:${one.origin}`
      const stamp = await one.stamp?.()
      if (stamp === undefined || (await uses.stamps.get(origin))?.stamp === stamp) continue
      if (await indexed(origin, uses, call, one)) refreshed++
    }
    const existing = new Set(listed.map((one) => `${name}:${one.origin}`))
    for (const origin of await uses.origins.distinct('origin')) {
      if (!origin.startsWith(`${name}:`) || existing.has(origin)) continue
      call.signal.throwIfAborted()
      // The origin may have been written since the list was made, or stand beyond its limit.
      if ((await indexed(origin, uses, call))?.chunks !== 0) continue
      await uses.stamps.deleteOne(origin)
      refreshed++
    }
    await contributor.refreshIndex?.()
  }
  return refreshed
}

/** Returns `undefined` when the origin cannot be read; its chunks stay. */
export async function indexed(origin: string, uses: FollowUses, call: Call, listed?: MemoryOrigin): Promise<OriginReplaced | undefined> {
  try {
    return await indexNow(origin, uses, call, listed)
  } catch (error) {
    call.signal.throwIfAborted()
    call.log.warn('A changed document could not be indexed', { origin, err: error })
    return undefined
  }
}

/** The stamp is taken before the text is read: a change in between is noticed the next time. */
async function indexNow(origin: string, uses: FollowUses, call: Call, listed?: MemoryOrigin): Promise<OriginReplaced> {
  let stamp: string | undefined
  const read = async () => {
    const one = listed ?? (await named(origin, uses.contributors))
    stamp = await one?.stamp?.()
    return (await one?.read()) ?? []
  }
  const replaced = await replaceOrigin(origin, read, uses, call)
  if (stamp !== undefined) await uses.stamps.upsert({ origin, stamp }, { set: defined({ stamp }) })
  return replaced
}

/** Returns one origin as its contributor has it now; `undefined` when it has none of this name. */
export async function named(origin: string, contributors: readonly MemoryContributor[]): Promise<MemoryOrigin | undefined> {
  const at = origin.indexOf(':')
  const contributor = contributors.find(({ name }) => name === origin.slice(0, at))
  const own = origin.slice(at + 1)
  if (contributor?.origin) return contributor.origin(own)
  return (await contributor?.origins?.('all'))?.find((one) => one.origin === own)
}
