import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { cutText, defined } from '@gateway/sdk'
import { frontMatterReader } from '@gateway/sdk/front-matter'
import { type Entry, entryOf } from '../rules/bundle.ts'
import { fileOfBundle } from '../rules/bundle-file.ts'
import { contentHash } from '../rules/content-hash.ts'
import { restoreChunks } from './store-chunks.ts'
import type { Call, MemoryUses } from './uses.ts'

/** A file, and the reason why it was not stored unchanged. */
interface Remark {
  readonly path: string
  readonly reason: string
}

export interface Imported {
  readonly filesTotal: number
  readonly parsed: number
  readonly invalid: readonly Remark[]
  readonly dedupedInBundle: number
  readonly hashMismatches: number
  /** Files counted in `hashMismatches`; absent when there are none. */
  readonly mismatches?: readonly Remark[]
  /** Front matter members that were not kept, with their number of files; absent when there are none. */
  readonly ignoredMembers?: Readonly<Record<string, number>>
  readonly stored: number
  readonly skippedExisting: number
  readonly failed: number
}

/** Chunks per commit, and their characters. If a commit fails its chunks are counted, and the others are stored. */
const STEP = 100
const STEP_CHARACTERS = 131_072
/** Reading files yields to other calls after this time. */
const STRETCH_MS = 5
const MAX_PATH = 500
const MAX_IGNORED = 100

/** Every file ends in one of the counters: invalid, or parsed and then one of the five after it. */
export async function importFiles(files: readonly unknown[], uses: MemoryUses, call: Call): Promise<Imported> {
  const { entries, dedupedInBundle, invalid, mismatches, ignored } = await readFiles(files, call)
  const count = { stored: 0, skippedExisting: 0, failed: 0 }
  for (const step of stepsOf(entries)) {
    call.signal.throwIfAborted()
    try {
      for (const { stored } of await restoreChunks(step, uses, call)) count[stored ? 'stored' : 'skippedExisting']++
    } catch (error) {
      call.log.error('A part of an import could not be stored', { err: error })
      count.failed += step.length
    }
    await yieldToEventLoop()
  }
  return {
    filesTotal: files.length,
    parsed: files.length - invalid.length,
    invalid,
    dedupedInBundle,
    hashMismatches: mismatches.length,
    ...(mismatches.length > 0 && { mismatches }),
    ...(ignored.size > 0 && { ignoredMembers: Object.fromEntries(ignored) }),
    ...count,
  }
}

async function readFiles(files: readonly unknown[], call: Call) {
  const read = await frontMatterReader()
  const invalid: Remark[] = []
  const mismatches: Remark[] = []
  const ignored = new Map<string, number>()
  const entries = new Map<string, Entry>()
  let [dedupedInBundle, since] = [0, performance.now()]
  for (const [at, given] of files.entries()) {
    if (performance.now() - since > STRETCH_MS) {
      await yieldToEventLoop()
      call.signal.throwIfAborted()
      since = performance.now()
    }
    const checked = fileOfBundle(given)
    if ('reason' in checked) {
      invalid.push({ path: checked.path ?? `files[${at}]`, reason: checked.reason })
      continue
    }
    const { file } = checked
    const path = cutText(file.path, MAX_PATH)
    const found = entryOf(file, read)
    if ('reason' in found) invalid.push({ path, reason: found.reason })
    // The content was damaged or changed after the export.
    else if (!found.hashMatches) mismatches.push({ path, reason: 'its content is not what its hash says' })
    else {
      const hash = contentHash(found.entry.content)
      const first = entries.get(hash)
      if (first) dedupedInBundle++
      // Text that also came from outside keeps the lowest trust.
      const { origin } = first ?? {}
      entries.set(hash, { ...(first ?? found.entry), ...defined({ origin: origin ?? found.entry.origin }) })
      for (const name of found.ignored) if (ignored.has(name) || ignored.size < MAX_IGNORED) ignored.set(name, (ignored.get(name) ?? 0) + 1)
    }
  }
  return { entries: [...entries.values()], dedupedInBundle, invalid, mismatches, ignored }
}

function* stepsOf(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let [step, characters]: [Entry[], number] = [[], 0]
  for (const entry of entries) {
    if (step.length === STEP || (step.length > 0 && characters + entry.content.length > STEP_CHARACTERS)) {
      yield step
      ;[step, characters] = [[], 0]
    }
    step.push(entry)
    characters += entry.content.length
  }
  if (step.length > 0) yield step
}
