import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Unavailable } from '@gateway/sdk'
import { stackOf } from '../rules/stack.ts'
import { FRAMEWORK_FOLDER } from './compliance.ts'

export interface FoundRepo {
  readonly name: string
  readonly path: string
  readonly stack: readonly string[]
  readonly hasFramework: boolean
}

/** Folders that contain many folders and no repo of the user's own. */
const SKIPPED = new Set(['node_modules', '.git', '.cache', '.npm', '.venv', 'vendor'])
const MAX_FOLDERS = 20_000
const MAX_REPOS = 1_000

/**
 * Returns the git repos in a folder, nearest first, then by name. Links are not followed, so there is no cycle and no way out; a
 * repo is not searched for others. Stops at a limit, and reports it.
 */
export async function scan(
  top: string,
  maxDepth: number,
  signal: AbortSignal,
  list = (folder: string): Promise<Dirent[]> => readdir(folder, { withFileTypes: true }),
): Promise<{ repos: readonly FoundRepo[]; truncated: boolean }> {
  const repos: FoundRepo[] = []
  let visited = 0
  let level = [top]
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    const next: string[] = []
    for (const path of level) {
      signal.throwIfAborted()
      if (++visited > MAX_FOLDERS || repos.length >= MAX_REPOS) return { repos, truncated: true }
      const entries = await list(path).catch(passedOver)
      if (isRepo(entries)) repos.push(describe(path, entries))
      else next.push(...foldersIn(path, entries))
    }
    level = next
  }
  return { repos, truncated: false }
}

const NOT_OURS = new Set(['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'ELOOP'])

/** Skips unreadable folders; that the top can be read was checked before. A machine that cannot read now yields no result. */
function passedOver(error: NodeJS.ErrnoException): never[] {
  if (NOT_OURS.has(error.code ?? '')) return []
  throw Unavailable({ message: `The folders could not be read: ${error.message}.`, retryAfterSeconds: 5 })
}

function isRepo(entries: readonly Dirent[]): boolean {
  return entries.some((entry) => entry.name === '.git' && (entry.isDirectory() || entry.isFile()))
}

function describe(path: string, entries: readonly Dirent[]): FoundRepo {
  const hasFramework = entries.some((entry) => entry.name === FRAMEWORK_FOLDER && entry.isDirectory())
  return { name: basename(path).normalize('NFC'), path, stack: stackOf(entries.map(({ name }) => name)), hasFramework }
}

function foldersIn(path: string, entries: readonly Dirent[]): string[] {
  const names = entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name)).map(({ name }) => name)
  return names.sort().map((name) => join(path, name))
}
