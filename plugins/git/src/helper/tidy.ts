import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeQuarantines } from './quarantines.ts'
import { DEADLINE_MS } from './run.ts'

/** A git command that outlived its helper ends within this time; older locks have no owner. */
const STALE_MS = 2_000
/** Packs of other nodes are in progress for no longer than their processes may run; older ones have no owner. */
const OWNERLESS_MS = 2 * DEADLINE_MS

/**
 * Removes the leftovers of a killed git: locks that would refuse every later write, packs and half-written objects, crash
 * reports. Runs before the first write of this helper in a repository, to which the helpers of other nodes may be writing: the
 * importer that a helper has in reserve holds an empty pack.
 */
export async function tidy(folder: string): Promise<void> {
  const locks = [
    ...(await named(folder, /\.lock$|^fast_import_crash_/)),
    ...(await named(join(folder, 'refs'), /\.lock$/, 4)),
    ...(await named(join(folder, 'objects', 'pack'), /\.lock$/)),
    ...(await named(join(folder, 'objects', 'info'), /\.lock$/, 2)),
  ]
  for (const path of locks) {
    await untilStale(path)
    await rm(path, { recursive: true, force: true })
  }
  const begun = [...(await named(join(folder, 'objects', 'pack'), /^tmp_|\.keep$/)), ...(await named(join(folder, 'objects'), /^tmp_obj_/))]
  for (const path of begun) if ((await staleIn(path, OWNERLESS_MS)) <= 0) await rm(path, { recursive: true, force: true })
  await removeQuarantines(folder)
}

async function untilStale(path: string): Promise<void> {
  for (;;) {
    const left = await staleIn(path, STALE_MS)
    if (left <= 0) return
    await sleep(Math.min(left, STALE_MS))
  }
}

async function staleIn(path: string, afterMs: number): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found ? found.mtimeMs + afterMs - Date.now() : 0
}

async function named(folder: string, pattern: RegExp, depth = 1): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found = entries.filter((entry) => pattern.test(entry.name)).map((entry) => join(folder, entry.name))
  if (depth === 1) return found
  const below = entries.filter((entry) => entry.isDirectory()).map((entry) => named(join(folder, entry.name), pattern, depth - 1))
  return [...found, ...(await Promise.all(below)).flat()]
}
