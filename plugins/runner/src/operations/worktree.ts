import { readdir, rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { type Taken, takenPlace } from '../rules/taken.ts'
import type { RepoConfig, Task } from '../schema.ts'
import { git, inTurn, tryGit } from './git.ts'
import { keepBranch } from './rescue-branches.ts'
import { holds, startOf, type Upstream, withUpstream } from './upstream.ts'

export interface Worktree {
  readonly repo: string
  readonly path: string
  readonly branch: string
  /** Commit that the work is compared with. */
  readonly base: string
  /** Commit that the branch had when the run began. Equal to `base` for a new branch. */
  readonly start: string
  /** Commit that the branch had at the remote then, if it was there. */
  readonly published?: string
  /** Work of an earlier run that was not delivered, which this run began with. */
  readonly rescued?: Kept
}

interface Kept {
  readonly branch: string
  readonly commit: string
}

export const branchOf = ({ taskId }: Pick<Task, 'taskId'>): string => `task/${taskId.replaceAll(/[^A-Za-z0-9._-]/g, '-')}`

export const isRemote = ({ deliver }: RepoConfig): boolean => deliver === 'push' || deliver === 'pr'

/**
 * Creates the worktree. A branch that an earlier run delivered is continued, for example after its review sent it back: also one that
 * another machine pushed, or somebody else has added to. A new branch has the base and the work that the task depends on.
 * The last work that a run did not deliver comes first, unless the branch or the base has gone on without it.
 */
export function addWorktree(repo: RepoConfig, task: Task, path: string): Promise<Worktree> {
  return inTurn(repo.path, async () => {
    const branch = branchOf(task)
    const from = await baseOf(repo)
    await git(repo.path, 'worktree', 'prune')
    const { local, latest: existing, published } = await tipsOf(repo, branch)
    const rescued = await keptWork(repo.path, task, { from, existing })
    const tip = rescued?.commit ?? existing ?? (await withUpstream(repo.path, from, await upstreamOf(repo, task)))
    if (local === tip) await git(repo.path, 'worktree', 'add', '--quiet', path, branch)
    else await git(repo.path, 'worktree', 'add', '--quiet', '--no-track', '-B', branch, path, tip)
    const base = await beginningOf(repo.path, from, tip)
    const start = existing ?? base
    return { repo: repo.path, path, branch, base, start, ...(published !== undefined && { published }), ...(rescued && { rescued }) }
  })
}

/** The latest work of a task that was kept and not delivered, if a run can go on with it. */
async function keptWork(
  path: string,
  { taskId }: Task,
  { from, existing }: { from: string; existing: string | undefined },
): Promise<Kept | undefined> {
  let latest: Kept | undefined
  for (const kept of await keptBranches(path, taskId)) {
    if (latest === undefined || (await contains(path, kept.commit, latest.commit))) latest = kept
  }
  if (latest === undefined) return undefined
  const isGoing = existing === undefined ? !(await holds(path, from, latest.commit)) : await contains(path, latest.commit, existing)
  return isGoing ? latest : undefined
}

/** Branches with work of a task that was not delivered, the newest first. */
async function keptBranches(path: string, taskId: string, ...more: readonly string[]): Promise<readonly Kept[]> {
  const pattern = `refs/heads/rescue/${taskId}-${'[0-9a-f]'.repeat(8)}`
  const format = '--format=%(refname:lstrip=2) %(objectname)'
  const listed = (await tryGit(path, 'for-each-ref', format, '--sort=-committerdate', ...more, pattern)) ?? ''
  return listed.split('\n').flatMap((line) => {
    const [branch, commit] = line.split(' ')
    return branch !== undefined && commit !== undefined ? [{ branch, commit }] : []
  })
}

/** Removes the branches that kept earlier work of a task, once the delivered branch has that work. */
export const dropRescued = ({ repo, branch }: Worktree, taskId: string): Promise<void> =>
  inTurn(repo, async () => {
    for (const kept of await keptBranches(repo, taskId, `--merged=refs/heads/${branch}`)) {
      await tryGit(repo, 'branch', '--quiet', '-D', kept.branch)
    }
  })

/** Branches of the tasks that a task depends on, as far as the clone or its remote has them. */
async function upstreamOf(repo: RepoConfig, { dependsOn = [] }: Task): Promise<readonly Upstream[]> {
  const upstream: Upstream[] = []
  for (const taskId of dependsOn) {
    const branch = branchOf({ taskId })
    const { latest } = await tipsOf(repo, branch)
    if (latest !== undefined) upstream.push({ branch, tip: latest })
  }
  return upstream
}

/** The commit after which the work of a branch begins. */
const beginningOf = async (path: string, base: string, tip: string): Promise<string> =>
  (await startOf(path, base, tip)) ?? (await tryGit(path, 'merge-base', base, tip)) ?? base

interface Tips {
  readonly local?: string
  readonly latest?: string
  readonly published?: string
}

/**
 * Returns the commit of a branch in the clone, and the latest one, which the remote may have. If both went different ways the published
 * one counts, since it was reviewed and cannot be pushed over; the other is kept as a branch `rescue/…`.
 */
export async function tipsOf(repo: RepoConfig, branch: string): Promise<Tips> {
  const { path, remote } = repo
  const local = await tryGit(path, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`)
  const copy = `refs/remotes/${remote}/${branch}`
  const published = (await isPublished(repo, branch, copy))
    ? await tryGit(path, 'rev-parse', '--verify', '--quiet', `${copy}^{commit}`)
    : undefined
  if (local === undefined) return published === undefined ? {} : { latest: published, published }
  if (published === undefined) return { local, latest: local }
  if (await contains(path, local, published)) return { local, latest: local, published }
  if (!(await contains(path, published, local))) await keepAsRescue(repo, branch, local)
  return { local, latest: published, published }
}

/** Keeps a commit of a branch as a branch `rescue/…`. */
export async function keepAsRescue({ path }: RepoConfig, branch: string, commit: string): Promise<void> {
  const kept = `rescue/${branch.replaceAll('/', '-')}-${commit.slice(0, 8)}`
  if ((await tryGit(path, 'rev-parse', '--verify', '--quiet', `refs/heads/${kept}`)) !== commit) await keepBranch(path, kept, commit)
}

/**
 * Fetches a branch into `copy`. False if the remote has none; any other failure is thrown, since the work of others may be there.
 */
async function isPublished(repo: RepoConfig, branch: string, copy: string): Promise<boolean> {
  if (!isRemote(repo)) return false
  try {
    await git(repo.path, 'fetch', '--quiet', '--no-tags', repo.remote, `+refs/heads/${branch}:${copy}`)
    return true
  } catch (error) {
    if (/couldn't find remote ref/.test((error as Error).message)) return false
    throw error
  }
}

const contains = async (path: string, commit: string, earlier: string): Promise<boolean> =>
  (await tryGit(path, 'merge-base', '--is-ancestor', earlier, commit)) !== undefined

/** Returns the commit that work starts from: of the remote if the work goes there, else of the clone. */
async function baseOf(repo: RepoConfig): Promise<string> {
  const { path, base, remote } = repo
  const name = base ?? (await tryGit(path, 'symbolic-ref', '--short', '--quiet', 'HEAD')) ?? 'HEAD'
  if (isRemote(repo)) {
    await git(path, 'fetch', '--quiet', '--no-tags', remote, `+refs/heads/${name}:refs/remotes/${remote}/${name}`)
    return (await git(path, 'rev-parse', '--verify', `refs/remotes/${remote}/${name}^{commit}`)).trim()
  }
  return (await git(path, 'rev-parse', '--verify', `${name}^{commit}`)).trim()
}

/** Commits everything that the agent left uncommitted, and points the branch at it wherever the agent left HEAD. */
export async function commitLeftovers({ path, branch }: Worktree, message: string): Promise<void> {
  await git(path, 'add', '--all')
  const staged = await git(path, 'diff', '--cached', '--name-only', '-z')
  if (staged !== '') await git(path, 'commit', '--quiet', '--no-verify', '-m', message)
  await git(path, 'update-ref', `refs/heads/${branch}`, 'HEAD')
}

export async function changedPaths({ path, base }: Worktree): Promise<readonly string[]> {
  const output = await git(path, 'diff', '--no-ext-diff', '--no-renames', '--name-only', '-z', base, 'HEAD')
  return output.split('\0').filter((name) => name !== '')
}

export const diffOf = ({ path, base }: Worktree): Promise<string> =>
  git(path, 'diff', '--no-ext-diff', '--no-textconv', '--no-color', base, 'HEAD')

/** Work that was not delivered. Without a branch there was none. */
export interface Rescued {
  readonly branch?: string
  /** The sentence that tells people where the work is. */
  readonly note?: string
  /** The reason why the work still lies in its worktree. Then `rescue` has to be called again. */
  readonly waits?: Taken
}

/**
 * Ends the worktree of work that was not delivered. New commits are kept as the branch `rescue/<name>`, whose name is returned, also
 * when it is asked for again; the branch of the task is as it was before the run. A worktree whose files cannot be committed for now,
 * because the disk is full for example, stays as it is.
 */
export async function rescue(tree: Worktree, name: string): Promise<Rescued> {
  if (tree.base === '') return discard(tree)
  const branch = `rescue/${name}`
  await removeLocks(tree)
  try {
    const commits = await commitsOf(tree)
    const isNew = commits !== undefined && commits !== tree.start && commits !== tree.rescued?.commit
    await inTurn(tree.repo, async () => {
      if (isNew) await keepBranch(tree.repo, branch, commits)
      await removeFolder(tree)
      if (tree.start === tree.base) await tryGit(tree.repo, 'update-ref', '-d', `refs/heads/${tree.branch}`)
      else await tryGit(tree.repo, 'update-ref', `refs/heads/${tree.branch}`, tree.start)
    })
    const isKept = isNew || (await tryGit(tree.repo, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`)) !== undefined
    const holder = isKept ? branch : tree.rescued?.branch
    return holder === undefined ? {} : { branch: holder, note: `The work is kept on the branch ${holder}.` }
  } catch (error) {
    const waits = takenPlace(error)
    if (waits === undefined) throw error
    return { branch, waits, note: `The work stays in the folder ${tree.path} until it can be committed to the branch ${branch}.` }
  }
}

/** Commits what lies in the worktree, and returns its last commit; of an unusable worktree, the last commit of its branch. */
async function commitsOf(tree: Worktree): Promise<string | undefined> {
  try {
    await commitLeftovers(tree, 'Work that was not delivered')
  } catch (error) {
    if (takenPlace(error)) throw error
    return tryGit(tree.repo, 'rev-parse', '--verify', '--quiet', `refs/heads/${tree.branch}`)
  }
  return tryGit(tree.path, 'rev-parse', 'HEAD')
}

/**
 * Removes a worktree that was only begun, so there is no work in it. Its branch goes if it holds nothing that another branch lacks; git
 * keeps a branch that is checked out elsewhere.
 */
async function discard({ repo, path, branch }: Worktree): Promise<Rescued> {
  await removeWorktree({ repo, path })
  const own = await tryGit(repo, 'rev-list', '--max-count=1', branch, '--not', `--exclude=${branch}`, '--branches')
  if (own === '') await tryGit(repo, 'branch', '--quiet', '-D', branch)
  return {}
}

/** Removes the folder and the registration of the worktree. Its branch stays. */
export const removeWorktree = (tree: Pick<Worktree, 'repo' | 'path'>): Promise<void> => inTurn(tree.repo, () => removeFolder(tree))

async function removeFolder({ repo, path }: Pick<Worktree, 'repo' | 'path'>): Promise<void> {
  await tryGit(repo, 'worktree', 'remove', '--force', '--force', path)
  await rm(path, { recursive: true, force: true })
  await tryGit(repo, 'worktree', 'prune')
}

/** Removes the lock files that a killed git left in the worktree and on its branch. Every process of the run is dead, so nobody holds them. */
export async function removeLocks({ repo, path, branch }: Pick<Worktree, 'repo' | 'path' | 'branch'>): Promise<void> {
  const common = await tryGit(repo, 'rev-parse', '--path-format=absolute', '--git-common-dir')
  if (common === undefined) return
  await rm(join(common, 'refs', 'heads', `${branch}.lock`), { force: true })
  const own = await tryGit(path, 'rev-parse', '--absolute-git-dir')
  // An agent may have pointed the worktree elsewhere, for example at the clone, whose locks belong to others.
  if (own === undefined || !own.startsWith(join(common, 'worktrees') + sep)) return
  const locks = (await readdir(own)).filter((name) => name.endsWith('.lock'))
  await Promise.all(locks.map((name) => rm(join(own, name), { force: true })))
}
