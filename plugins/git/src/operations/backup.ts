import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { check } from '../helper/reads.ts'
import { program, run } from '../helper/run.ts'

/** A fetch of all there is. */
const LIMIT_MS = 3_600_000

/**
 * Every repository of a folder, fetched into a new one of the same name. Git answers a fetch with the refs of one moment and all they
 * reach, also while they move and packs are joined; a copy of the files could miss what moves from one to another.
 */
export async function copyRepositories(from: string, to: string, git: string): Promise<void> {
  program.path = git
  await mkdir(to, { mode: 0o700 })
  for (const name of await repositoriesIn(from)) {
    const copy = join(to, name)
    await run(['init', '--quiet', '--bare', '--object-format=sha1', '--template=', '--initial-branch=main', copy], { folder: to })
    await run(['config', 'core.fsync', 'all'], { folder: copy })
    const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', join(from, name), '+refs/*:refs/*']
    await run(['-c', 'protocol.file.allow=always', ...fetch], { folder: copy, timeoutMs: LIMIT_MS })
  }
}

/** What `git fsck` says of each: nothing where all are whole. */
export async function verifyRepositories(folder: string, git: string): Promise<readonly string[]> {
  program.path = git
  const faults: string[] = []
  for (const name of await repositoriesIn(folder)) {
    const said = await check({ folder: join(folder, name) }, LIMIT_MS)
    faults.push(...said.slice(0, 3).map((line) => `brain ${name}: ${line}`))
  }
  return faults
}

/** Those that are being made have another name yet. */
const repositoriesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.git')).sort()
