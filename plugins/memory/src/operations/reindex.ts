import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { defined } from '@gateway/sdk'
import type { MemoryContributor, MemoryOrigin, OriginReplaced } from '../api.ts'
import { named } from './follow.ts'
import { replaceOrigin } from './origins.ts'
import type { Call, MemoryUses } from './uses.ts'

export interface Reindexed extends OriginReplaced {
  readonly origin: string
  readonly repo?: string
  /** Reason why it could not be read; its stored chunks stay. */
  readonly error?: string
}

/** Reads all current origins, one after the other. With scope `all`, origins that no longer exist leave the index. */
export async function reindex(
  scope: 'master' | 'all',
  contributors: readonly MemoryContributor[],
  uses: MemoryUses,
  call: Call,
): Promise<readonly Reindexed[]> {
  const listed = await Promise.all(
    contributors.flatMap((one) => (one.origins ? [one.origins(scope).then((origins) => ({ name: one.name, origins }))] : [])),
  )
  const all = listed.flatMap(({ name, origins }) => origins.map((one) => ({ one, origin: `${name}:${one.origin}` })))
  const results: Reindexed[] = []
  for (const { name, refreshIndex } of contributors) {
    const own = await refreshIndex?.()
    if (own) results.push({ origin: `${name}:${own.origin}`, chunks: own.documents, stored: own.changed, removed: 0 })
  }
  for (const [done, { one, origin }] of all.entries()) {
    call.signal.throwIfAborted()
    results.push(await indexOne(origin, one, uses, call))
    call.progress(done + 1, all.length, origin)
    await yieldToEventLoop()
  }
  if (scope === 'master') return results
  const existing = new Set(all.map(({ origin }) => origin))
  const names = listed.map(({ name }) => name)
  for (const { name, page } of contributors) {
    if (!page) continue
    names.push(name)
    for (let after: string | undefined; ; ) {
      const { origins, next } = await page(after)
      for (const one of origins) {
        call.signal.throwIfAborted()
        const origin = `${name}:${one.origin}`
        existing.add(origin)
        results.push(await indexOne(origin, one, uses, call))
        call.progress(results.length, undefined, origin)
        await yieldToEventLoop()
      }
      if (next === undefined) break
      after = next
    }
  }
  for (const origin of await uses.origins.distinct('origin')) {
    if (existing.has(origin) || !names.some((name) => origin.startsWith(`${name}:`))) continue
    call.signal.throwIfAborted()
    // The origin may have been written since the list was made, or stand beyond its limit.
    results.push(await indexOne(origin, { read: async () => (await (await named(origin, contributors))?.read()) ?? [] }, uses, call))
  }
  return results
}

/** A file that cannot be read does not stop the others. */
async function indexOne(origin: string, one: Pick<MemoryOrigin, 'repo' | 'read'>, uses: MemoryUses, call: Call): Promise<Reindexed> {
  const named = { origin, ...defined({ repo: one.repo }) }
  try {
    return { ...named, ...(await replaceOrigin(origin, () => one.read(), uses, call)) }
  } catch (error) {
    call.signal.throwIfAborted()
    call.log.warn('A document could not be indexed', { origin, err: error })
    return { ...named, chunks: 0, stored: 0, removed: 0, error: error instanceof Error ? error.message : String(error) }
  }
}
