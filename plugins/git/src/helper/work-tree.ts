import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BoundedMap } from '@gateway/sdk/bounds'
import type { BranchChanges, CommitLine } from '../api.ts'
import { LOG_OPTIONS, LogReader } from '../rules/log-records.ts'
import { isPrefix } from '../rules/names.ts'
import { readStatus, type WorkTreeStatus } from '../rules/porcelain.ts'
import { run } from './run.ts'

const MAX_BYTES = 4 * 1_024 * 1_024
const MAX_CACHED_FOLDERS = 500
const last = new BoundedMap<string, { readonly stamp: string; readonly commit: CommitLine | undefined }>(MAX_CACHED_FOLDERS)

export async function status(folder: string, limit: number): Promise<WorkTreeStatus> {
  const { output, truncated } = await run(['status', '--porcelain=v2', '--branch', '-z', '--no-renames'], { folder, maxBytes: MAX_BYTES })
  return readStatus(output, limit, truncated)
}

export async function workLog(folder: string, limit: number): Promise<readonly CommitLine[]> {
  const { code, output } = await run(['log', ...LOG_OPTIONS, `--max-count=${limit}`, 'HEAD', '--'], { folder, codes: [0, 128] })
  if (code !== 0) return []
  const reader = new LogReader()
  return [...reader.read(output), ...reader.end()].map(({ sha, parents, at, subject }) => ({ sha, parents, at, subject }))
}

/** Runs git again only if the refs have been touched since. */
export async function lastCommit(folder: string): Promise<CommitLine | undefined> {
  const stamp = await refStamp(folder)
  const known = last.get(folder)
  if (known && stamp !== '' && known.stamp === stamp) return known.commit
  const [commit] = await workLog(folder, 1)
  last.set(folder, { stamp, commit })
  return commit
}

export async function diffNames(folder: string, from: string, to: string, limit: number): Promise<readonly string[]> {
  for (const oid of [from, to])
    if (!isPrefix(oid)) throw new Error(`expected 4 to 40 hexadecimal digits of an object id; got ${JSON.stringify(oid)}`)
  const args = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', from, to, '--']
  const { output } = await run(args, { folder, maxBytes: MAX_BYTES })
  return output
    .split('\0')
    .filter((name) => name !== '')
    .slice(0, limit)
}

/** Changes with every commit, checkout and fetch; '' if the folder has another layout. */
async function refStamp(folder: string): Promise<string> {
  const names = ['HEAD', 'logs/HEAD', 'packed-refs', 'refs/heads']
  const found = await Promise.all(names.map((name) => stat(join(folder, '.git', name)).catch(() => undefined)))
  return found[1] ? found.map((one) => `${one?.mtimeMs}:${one?.size}`).join(' ') : ''
}

/** Accepted forms of a branch: a name, an id, `HEAD~2`; never an option, a range or an expression that searches. */
const REVISION = /^(?!-)(?!.*\.\.)[A-Za-z0-9_@][A-Za-z0-9_./@+~^-]{0,249}$/

export async function branchChanges(folder: string, base: string, head: string, limit: number): Promise<BranchChanges> {
  const [from, to] = await Promise.all([commitOf(folder, base), commitOf(folder, head)])
  if (from === undefined) return { missing: 'base' }
  if (to === undefined) return { missing: 'head' }
  const { output: shared } = await run(['merge-base', from, to], { folder, codes: [0, 1] })
  const start = shared.trim() === '' ? from : shared.trim().slice(0, 40)
  const args = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', start, to, '--']
  const { output, truncated } = await run(args, { folder, maxBytes: MAX_BYTES })
  const files = output.split('\0').filter((name) => name !== '')
  return { files: files.slice(0, limit), truncated: truncated || files.length > limit }
}

async function commitOf(folder: string, revision: string): Promise<string | undefined> {
  if (!REVISION.test(revision)) return undefined
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  const { code, output } = await run(args, { folder, codes: [0, 1, 128] })
  return code === 0 ? output.trim() : undefined
}
