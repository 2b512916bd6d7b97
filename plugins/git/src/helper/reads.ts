import { once } from 'node:events'
import { defined } from '@gateway/sdk'
import type { CommitChanges, CommitLine, Diff, DiffQuery, GraphQuery, LogQuery, Oid, PathChange } from '../api.ts'
import { LOG_OPTIONS, LogReader, RAW_OPTIONS, readRaw } from '../rules/log-records.ts'
import { checkOids, EMPTY_TREE, isAskedPath } from '../rules/names.ts'
import { readNumstat } from '../rules/numstat.ts'
import type { OpenRepository } from './repository.ts'
import { run, startGit } from './run.ts'

const AT_MOST = 10_000
const MAX_TIPS = 1_000
/** Maximum number of commits in one piece of a history. */
const PIECE = 500
const MAX_PATCH_BYTES = 1_024 * 1_024

function checkPath(path: string): void {
  if (!isAskedPath(path)) throw new Error(`expected a relative path without . and ..; got ${JSON.stringify(path)}`)
}

/** Only ids are revisions; a path comes after `--` and is literal. */
function range({ from, to, path }: Omit<LogQuery, 'limit'>): readonly string[] {
  checkOids(to, ...(from === undefined ? [] : [from]))
  if (path !== undefined) checkPath(path)
  return [to, ...(from === undefined ? [] : [`^${from}`]), '--', ...(path === undefined ? [] : [path])]
}

export async function log(repository: OpenRepository, { limit, ...query }: LogQuery): Promise<readonly CommitLine[]> {
  const found = await commits(repository.folder, [`--max-count=${Math.min(limit, AT_MOST)}`, ...range(query)])
  return found.map(lineOf)
}

export async function graph({ folder }: OpenRepository, { tips, path, limit }: GraphQuery): Promise<readonly CommitLine[]> {
  const [first, ...more] = tips.slice(0, MAX_TIPS)
  if (first === undefined) throw new Error('expected at least one tip; got none')
  checkOids(first, ...more)
  const [to = '', ...rest] = range({ to: first, path })
  // Rewrites the parents of commits where those in between are left out.
  const found = await commits(folder, ['--parents', `--max-count=${Math.min(limit, AT_MOST)}`, to, ...more, ...rest])
  return found.map(lineOf)
}

const lineOf = ({ sha, parents, at, subject }: CommitChanges): CommitLine => ({ sha, parents, at, subject })

export function changes(repository: OpenRepository, { limit, ...query }: LogQuery): Promise<readonly CommitChanges[]> {
  return commits(repository.folder, [`--max-count=${Math.min(limit, AT_MOST)}`, ...RAW_OPTIONS, ...range(query)])
}

async function commits(folder: string, args: readonly string[]): Promise<readonly CommitChanges[]> {
  const { output } = await run(['log', ...LOG_OPTIONS, ...args], { folder })
  const reader = new LogReader()
  return [...reader.read(output), ...reader.end()]
}

/** Oldest first; the next piece is read when this one was consumed. */
export async function* history(repository: OpenRepository, query: Omit<LogQuery, 'limit'>): AsyncIterable<readonly CommitChanges[]> {
  const child = startGit(['log', ...LOG_OPTIONS, ...RAW_OPTIONS, '--reverse', '--topo-order', ...range(query)], repository)
  child.stderr.resume()
  const ended = once(child, 'close')
  const reader = new LogReader()
  let piece: CommitChanges[] = []
  try {
    child.stdout.setEncoding('utf8')
    for await (const text of child.stdout) {
      for (const commit of reader.read(text as string)) piece.push(commit)
      if (piece.length < PIECE) continue
      yield piece
      piece = []
    }
    piece.push(...reader.end())
    const [code] = (await ended) as [number | null]
    if (code !== 0) throw new Error(`git log ended with ${code}`)
    if (piece.length > 0) yield piece
  } finally {
    child.kill()
  }
}

export async function changed(repository: OpenRepository, commit: Oid): Promise<readonly PathChange[]> {
  const [line] = await log(repository, { to: commit, limit: 1 })
  if (!line) return []
  const { output } = await run(treeChanges(line.parents[0] ?? EMPTY_TREE, commit), { folder: repository.folder })
  return readRaw(output)
}

/** Returns the command for files that differ between two trees; `filter` has the form of `--diff-filter`. */
export function treeChanges(from: Oid, to: Oid, filter?: string): readonly string[] {
  const filters = filter === undefined ? [] : [`--diff-filter=${filter}`]
  return ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', ...filters, from, to]
}

export async function isAncestor({ folder }: OpenRepository, ancestor: Oid, of: Oid): Promise<boolean> {
  checkOids(ancestor, of)
  return (await run(['merge-base', '--is-ancestor', ancestor, of], { folder, codes: [0, 1] })).code === 0
}

export async function list({ folder }: OpenRepository, commit: Oid, path: string, limit: number): Promise<readonly string[]> {
  checkOids(commit)
  checkPath(path)
  const { output } = await run(['ls-tree', '-r', '-z', '--name-only', commit, '--', `${path}/`], { folder })
  return output
    .split('\0')
    .filter((name) => name !== '')
    .slice(0, limit)
}

export async function diff({ folder }: OpenRepository, { from, to, path, patchCharacters, maxFiles }: DiffQuery): Promise<Diff> {
  checkOids(from, to)
  if (path !== undefined) checkPath(path)
  const what = [from, to, '--', ...(path === undefined ? [] : [path])]
  const base = ['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames']
  const figures = await run([...base, '-z', '--raw', '--no-abbrev', '--numstat', ...what], { folder, maxBytes: 64 * 1_024 * 1_024 })
  const all = readNumstat(figures.output)
  const summary = {
    files: all.slice(0, maxFiles),
    filesChanged: all.length,
    insertions: all.reduce((sum, one) => sum + one.insertions, 0),
    deletions: all.reduce((sum, one) => sum + one.deletions, 0),
  }
  if (patchCharacters === 0) return summary
  const { output, truncated } = await run([...base, '--patch', ...what], {
    folder,
    maxBytes: Math.min(patchCharacters * 4, MAX_PATCH_BYTES),
  })
  return { ...summary, patch: output.slice(0, patchCharacters), patchTruncated: truncated || output.length > patchCharacters }
}

export async function check({ folder }: Pick<OpenRepository, 'folder'>, timeoutMs?: number): Promise<readonly string[]> {
  const { code, output } = await run(['fsck', '--full', '--strict', '--no-dangling', '--no-progress'], {
    folder,
    codes: [0, 1, 2, 3, 4, 8],
    ...defined({ timeoutMs }),
  })
  return code === 0 ? [] : output.split('\n').filter((line) => line !== '')
}
