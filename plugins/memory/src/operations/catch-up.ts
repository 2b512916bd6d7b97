import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { defined, type Resolved } from '@gateway/sdk'
import type { MemoryContributor } from '../api.ts'
import { preparations } from '../collections.ts'
import { followUses, indexed, noteChange } from './follow.ts'
import type { Call } from './uses.ts'

export const catchUpUses = { ...followUses, preparations }
type CatchUpUses = Resolved<typeof catchUpUses>

/** Raised by a version that has to read all pages once more. */
const VERSION = 1
/** Origins and chunks that one run reads of a family, up to the end of an origin; the next run continues. */
const MAX_READ = 5_000

/**
 * Indexes the records that a family stored before it indexed each as it is written: once per tenant, page by page. A page that a
 * killed process did not finish is read again, which stores nothing twice.
 */
export async function catchUp(uses: CatchUpUses, call: Call): Promise<number> {
  let caughtUp = 0
  for (const { name, page } of uses.contributors) if (page) caughtUp += await catchUpWith(name, page, uses, call)
  return caughtUp
}

async function catchUpWith(name: string, page: NonNullable<MemoryContributor['page']>, uses: CatchUpUses, call: Call): Promise<number> {
  const stateId = `pages:${name}`
  const state = await uses.preparations.get(stateId)
  const isUnderWay = state?.version === VERSION
  if (isUnderWay && state.after === undefined) return 0
  let after = isUnderWay ? state.after : undefined
  let [origins, read] = [0, 0]
  do {
    const { origins: listed, next } = await page(after)
    after = next
    for (const one of listed) {
      call.signal.throwIfAborted()
      const origin = `${name}:${one.origin}`
      const replaced = await indexed(origin, uses, call, one)
      // The job that reads noted changes tries it again, so that one record does not hold up the others.
      if (!replaced) await noteChange(origin, uses, call)
      origins++
      read += 1 + (replaced?.chunks ?? 0)
      if (read >= MAX_READ) {
        after = one.origin
        break
      }
      await yieldToEventLoop()
    }
    const place = { version: VERSION, ...defined({ after }) }
    await uses.preparations.upsert({ stateId, ...place }, { set: place, ...(after === undefined && { unset: ['after'] as const }) })
  } while (after !== undefined && read < MAX_READ)
  return origins
}
