import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitSettings } from '../helper/protocol.ts'
import { check } from '../helper/reads.ts'
import { git, run } from '../helper/run.ts'

const COPY_OR_CHECK_TIMEOUT_MS = 3_600_000

/**
 * Fetches every repository of a folder into a new one of the same name. Git answers a fetch with the refs of one moment and all
 * reachable objects, even while they move and packs are joined; a copy of the files could miss something that moves between
 * files.
 */
export async function copyRepositories(from: string, to: string, settings: GitSettings): Promise<void> {
  configure(settings)
  await mkdir(to, { mode: 0o700 })
  for (const name of await repositoriesIn(from)) {
    const copy = join(to, name)
    await run(['init', '--quiet', '--bare', '--object-format=sha1', '--template=', '--initial-branch=main', copy], { folder: to })
    await run(['config', 'core.fsync', 'all'], { folder: copy })
    const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', join(from, name), '+refs/*:refs/*']
    await run(['-c', 'protocol.file.allow=always', ...fetch], { folder: copy, timeoutMs: COPY_OR_CHECK_TIMEOUT_MS })
  }
}

/** Returns the messages of `git fsck` for each repository; empty if all are intact. */
export async function verifyRepositories(folder: string, settings: GitSettings): Promise<readonly string[]> {
  configure(settings)
  const faults: string[] = []
  for (const name of await repositoriesIn(folder)) {
    const said = await check({ folder: join(folder, name) }, COPY_OR_CHECK_TIMEOUT_MS)
    faults.push(...said.slice(0, 3).map((line) => `brain ${name}: ${line}`))
  }
  return faults
}

/** A whole repository may take as much CPU time as time. */
function configure({ program, limits }: GitSettings): void {
  Object.assign(git, { program, limits: { ...limits, cpuSeconds: Math.max(limits.cpuSeconds, COPY_OR_CHECK_TIMEOUT_MS / 1_000) } })
}

/** Repositories still in creation have another name. */
const repositoriesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.git')).sort()
