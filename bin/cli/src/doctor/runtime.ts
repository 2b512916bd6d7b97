import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import semver from 'semver'
import { type Finding, findings } from './finding.ts'

/** Equal to `engines` of package.json; a test keeps the two equal. */
export const NODE_RANGE = '>=20.20'

export function checkNode(version = process.versions.node): Finding {
  const { ok, fail } = findings('node')
  return semver.satisfies(version, NODE_RANGE) ? ok(version) : fail(`${version} is too old`, `Install Node ${NODE_RANGE}.`)
}

const EARLIEST = Date.parse('2025-01-01')
const TOLERANCE_MS = 60_000

/** Leases and audit days depend on the clock: a clock that was reset, or was ahead when the data was written, shows here. */
export async function checkClock(dataDir: string, now = Date.now()): Promise<Finding> {
  const { ok, warn, fail } = findings('clock')
  const fix = 'Set the clock of this machine, and let NTP keep it.'
  const today = new Date(now).toISOString()
  if (now < EARLIEST) return fail(`it says ${today}`, fix)
  const newest = await newestWrite([join(dataDir, 'store'), join(dataDir, 'audit')])
  if (newest > now + TOLERANCE_MS) return warn(`it says ${today}, but data was written at ${new Date(newest).toISOString()}`, fix)
  return ok(today)
}

async function newestWrite(folders: readonly string[]): Promise<number> {
  const times = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder).catch(() => [])
      return Promise.all(names.map(async (name) => (await stat(join(folder, name))).mtimeMs))
    }),
  )
  return Math.max(0, ...times.flat())
}
