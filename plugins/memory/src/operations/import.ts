import { setImmediate as othersFirst } from 'node:timers/promises'
import { type BundleFile, type Entry, entryOf } from '../rules/bundle.ts'
import { contentHash } from '../rules/content-hash.ts'
import { storeChunks } from './store-chunks.ts'
import type { Call, MemoryUses } from './uses.ts'

export interface Imported {
  readonly filesTotal: number
  readonly parsed: number
  readonly invalid: readonly { readonly path: string; readonly reason: string }[]
  readonly dedupedInBundle: number
  readonly hashMismatches: number
  readonly stored: number
  readonly skippedExisting: number
  readonly failed: number
}

/** One commit each; what one of them cannot store is counted, and the others are stored. */
const STEP = 100

/** Every file ends in one of the counters: invalid, or parsed and then one of the five after it. */
export async function importFiles(files: readonly BundleFile[], uses: MemoryUses, call: Call): Promise<Imported> {
  const invalid: { path: string; reason: string }[] = []
  const entries = new Map<string, Entry>()
  const count = { dedupedInBundle: 0, hashMismatches: 0, stored: 0, skippedExisting: 0, failed: 0 }
  for (const file of files) {
    const read = entryOf(file)
    if ('reason' in read) invalid.push({ path: file.path.slice(0, 500), reason: read.reason })
    // What is not what was exported was damaged on its way, or changed; that is not for us to tell.
    else if (!read.hashMatches) count.hashMismatches++
    else {
      const hash = contentHash(read.entry.content)
      if (entries.has(hash)) count.dedupedInBundle++
      else entries.set(hash, read.entry)
    }
  }
  const all = [...entries.values()]
  for (let from = 0; from < all.length; from += STEP) {
    call.signal.throwIfAborted()
    const step = all.slice(from, from + STEP)
    try {
      for (const { stored } of await storeChunks(step, uses, call)) count[stored ? 'stored' : 'skippedExisting']++
    } catch (error) {
      call.log.error('A part of an import could not be stored', { err: error })
      count.failed += step.length
    }
    await othersFirst()
  }
  return { filesTotal: files.length, parsed: files.length - invalid.length, invalid, ...count }
}
