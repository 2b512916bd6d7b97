import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import type { Caller } from '../kill/worker.ts'

/** Records the acknowledgements to agents, for comparison with the repository. */
export class Ledger {
  /** Maps the slug of an acknowledged atom to its commit. */
  readonly committed = new Map<string, string>()
  /** Contents of stashes that were acknowledged, of those that were popped, and of those whose answer was lost. */
  readonly stashed = new Set<string>()
  readonly popped = new Set<string>()
  popsUnanswered = 0
  /** Faults found before the repository is checked. */
  readonly broken: string[] = []
}

export interface Found {
  readonly fsck: string
  /** Number of files by slug, on all branches. */
  readonly atoms: ReadonlyMap<string, number>
  /** Slugs on main, and on the requested branch. */
  readonly visible: ReadonlySet<string>
  readonly onMain: number
  readonly commits: ReadonlySet<string>
  readonly stashes: ReadonlySet<string>
}

export function look(folder: string, current: string): Found {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', maxBuffer: 1 << 28, env: { PATH: process.env.PATH } })
  const atoms = new Map<string, Set<string>>()
  const visible = new Set<string>()
  let onMain = 0
  for (const branch of git('for-each-ref', '--format=%(refname)', 'refs/heads').trim().split('\n'))
    for (const path of git('ls-tree', '-r', '--name-only', branch).split('\n')) {
      const slug = /^repos\/.*Z-(.+)-[0-9a-f]{8}\.md$/.exec(path)?.[1]
      if (slug === undefined) continue
      atoms.set(slug, (atoms.get(slug) ?? new Set()).add(path))
      if (branch === 'refs/heads/main') onMain++
      if (branch === 'refs/heads/main' || branch === `refs/heads/${current}`) visible.add(slug)
    }
  const stashes = git('ls-tree', '--name-only', 'main', 'stash/')
    .split('\n')
    .filter((path) => path !== '')
  return {
    fsck: git('fsck', '--strict', '--no-dangling'),
    atoms: new Map([...atoms].map(([slug, paths]) => [slug, paths.size])),
    visible,
    onMain,
    commits: new Set(git('rev-list', '--all').split('\n')),
    stashes: new Set(stashes.map((path) => git('show', `main:${path}`).split('\n').at(-1) as string)),
  }
}

/** Number of latest committed atoms that are searched for one by one. */
const SEARCHED = 200

/**
 * Checks that every acknowledged commit exists exactly once, no stash is lost or returned twice, and the index is right
 * immediately.
 */
export async function hold(ledger: Ledger, folder: string, call: Caller): Promise<void> {
  const { atoms: indexed, branch } = (await call('brain_status', {})) as { atoms: { total: number }; branch: string }
  const found = look(folder, branch)
  const faults = [...ledger.broken]
  if (found.fsck !== '') faults.push(`fsck: ${found.fsck}`)
  for (const [slug, commit] of ledger.committed) {
    if (!found.atoms.has(slug)) faults.push(`${slug} was acknowledged and is gone`)
    if (!found.commits.has(commit)) faults.push(`the commit of ${slug}, ${commit}, is gone`)
  }
  for (const [slug, times] of found.atoms) if (times > 1) faults.push(`${slug} is there ${times} times`)
  const missing = [...ledger.stashed].filter((content) => !ledger.popped.has(content) && !found.stashes.has(content))
  if (missing.length > ledger.popsUnanswered) faults.push(`stashes are gone that nobody popped: ${missing}`)
  for (const content of ledger.popped) if (found.stashes.has(content)) faults.push(`the stash ${content} was popped and is still there`)
  // Atoms on a branch that a kill kept from being merged are not visible from another.
  for (const slug of [...ledger.committed.keys()].slice(-SEARCHED).filter((slug) => found.visible.has(slug))) {
    const { results } = (await call('memory_search', { query: slug, source: 'brain' })) as { results: { chunkId: string }[] }
    const times = results.filter(({ chunkId }) => chunkId.includes(`Z-${slug}-`)).length
    if (times !== 1) faults.push(`a search finds ${slug} ${times} times`)
  }
  if (indexed.total !== found.onMain) faults.push(`the index counts ${indexed.total} atoms on main, which has ${found.onMain}`)
  assert.deepEqual(faults, [])
}
