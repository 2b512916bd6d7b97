import type { MergeConfig, RepoConfig } from '../schema.ts'
import { type GitFailed, git, inTurn, tryGit } from './git.ts'
import type { MergeRounds, Published } from './merge-rounds.ts'
import { mergedPart, startOf } from './upstream.ts'
import { isRemote, removeWorktree } from './worktree.ts'

export interface Target {
  readonly name: string
  readonly commit: string
  /** Merged work is pushed. */
  readonly isRemote: boolean
}

/** Returns the branch that merged work goes to, fetched if it lies at a remote. */
export async function mergeTarget(repo: RepoConfig): Promise<Target> {
  const { path, base, remote } = repo
  const name = base ?? (await git(path, 'symbolic-ref', '--short', 'HEAD')).trim()
  const isPushed = isRemote(repo)
  if (isPushed) await git(path, 'fetch', '--quiet', '--no-tags', remote, `+refs/heads/${name}:refs/remotes/${remote}/${name}`)
  const ref = isPushed ? `refs/remotes/${remote}/${name}` : `refs/heads/${name}`
  return { name, commit: (await git(path, 'rev-parse', '--verify', `${ref}^{commit}`)).trim(), isRemote: isPushed }
}

/** Rebases a commit onto the target in a worktree of its own. Returns the paths in conflict; none if it applied. */
export async function rebaseOnto(repo: RepoConfig, tip: string, { commit }: Target, worktree: string): Promise<readonly string[]> {
  await removeWorktree({ repo: repo.path, path: worktree })
  await inTurn(repo.path, () => git(repo.path, 'worktree', 'add', '--quiet', '--detach', worktree, tip))
  // The work of its dependencies was merged before it, perhaps as other commits.
  const start = await startOf(worktree, commit, 'HEAD')
  const conflicts = await rebase(worktree, ...(start === undefined ? [commit] : ['--onto', commit, start]))
  const part = conflicts.length === 0 ? undefined : await mergedPart(worktree, commit, tip)
  // The commits of a part that the code host squashed conflict with their own sum.
  return part === undefined ? conflicts : rebase(worktree, '--onto', commit, part)
}

/** Rebases what is checked out. Returns the paths in conflict, and leaves it then as it was. */
async function rebase(worktree: string, ...onto: readonly string[]): Promise<readonly string[]> {
  const failure = await git(worktree, 'rebase', '--quiet', ...onto).then(
    () => undefined,
    (error: Error) => error,
  )
  if (failure === undefined) return []
  const unmerged = await git(worktree, 'diff', '--name-only', '--diff-filter=U', '-z')
  const paths = unmerged.split('\0').filter((name) => name !== '')
  if (paths.length === 0) throw failure
  await tryGit(worktree, 'rebase', '--abort')
  return paths
}

/**
 * Moves the target to the rebased branch and removes the branch from the clone. Throws if the target has moved, or its checkout has changes
 * of its own. At a remote the branch moves as well, if it may: code hosts then see its pull request as merged.
 */
export async function moveTarget(repo: RepoConfig, branch: string, target: Target, worktree: string): Promise<string> {
  const { path, remote } = repo
  const merged = (await git(worktree, 'rev-parse', 'HEAD')).trim()
  const ref = `refs/heads/${target.name}`
  const published = target.isRemote ? await tryGit(path, 'rev-parse', '--verify', '--quiet', `refs/remotes/${remote}/${branch}`) : undefined
  const checkedOut = target.isRemote ? undefined : await checkoutOf(path, ref)
  if (target.isRemote) await git(worktree, 'push', '--quiet', '--no-verify', remote, `${merged}:${ref}`)
  else if (checkedOut !== undefined) await git(checkedOut, 'merge', '--quiet', '--ff-only', merged)
  else await git(path, 'update-ref', ref, merged, target.commit)
  if (published !== undefined) {
    const lease = `--force-with-lease=refs/heads/${branch}:${published}`
    await tryGit(worktree, 'push', '--quiet', '--no-verify', lease, remote, `${merged}:refs/heads/${branch}`)
  }
  await removeWorktree({ repo: path, path: worktree })
  await removeBranch(repo, branch)
  return merged
}

/** Removes a branch from the clone. False if git keeps it, because it is checked out. */
export const removeBranch = async ({ path }: RepoConfig, branch: string): Promise<boolean> =>
  (await inTurn(path, () => tryGit(path, 'branch', '--quiet', '-D', branch))) !== undefined

/** Outcome of a deletion at the remote. A branch that has moved there, or is gone, is `moved`. */
export type Deletion = { readonly outcome: 'deleted' | 'moved' } | { readonly outcome: 'refused' | 'failed'; readonly reason: string }

/** Removes a branch from the remote, if it is still where this runner has seen it. */
export async function removePublished({ path, remote }: RepoConfig, { branch, commit }: Published): Promise<Deletion> {
  const lease = `--force-with-lease=refs/heads/${branch}:${commit}`
  try {
    await git(path, 'push', '--porcelain', '--no-verify', lease, remote, `:refs/heads/${branch}`)
    return { outcome: 'deleted' }
  } catch (error) {
    const { output = '', message: reason } = error as Partial<GitFailed> & Error
    if (/\t\[remote rejected\]/.test(output)) return { outcome: 'refused', reason }
    return /\t\[rejected\]/.test(output) ? { outcome: 'moved' } : { outcome: 'failed', reason }
  }
}

/** The folder in which a branch is checked out: the clone, or a worktree of it. A branch that moved there alone would undo its files. */
async function checkoutOf(path: string, ref: string): Promise<string | undefined> {
  const listed = await git(path, 'worktree', 'list', '--porcelain')
  const entries = listed.split('\n\n').map((entry) => entry.split('\n'))
  return entries.find((lines) => lines.includes(`branch ${ref}`))?.[0]?.slice('worktree '.length)
}

interface TaskBranches {
  /** Branches of the clone, and those at the remote that the target lacks. */
  readonly waiting: readonly string[]
  /** Branches at the remote that the target has. Nobody looks for them unless they are to be deleted. */
  readonly merged: readonly Published[]
}

/** Branches of tasks in a clone and at its remote, each oldest first. Those at the remote are the work of all machines. */
export async function taskBranches(repo: RepoConfig, { deleteBranches }: MergeConfig, rounds?: MergeRounds): Promise<TaskBranches> {
  const { path, base, remote } = repo
  const list = async (folder: string, ...more: readonly string[]): Promise<readonly Published[]> => {
    const format = [`--format=%(objectname) %(refname:lstrip=${folder.split('/').length})`, '--sort=committerdate']
    const lines = ((await tryGit(path, 'for-each-ref', ...format, ...more, `${folder}/task/`)) ?? '').split('\n')
    return lines.flatMap((line) => {
      const [commit = '', branch] = line.split(' ')
      return branch === undefined ? [] : [{ branch, commit }]
    })
  }
  const local = (await list('refs/heads')).map(({ branch }) => branch)
  const isHere = new Set(local)
  const name = base ?? (await tryGit(path, 'symbolic-ref', '--short', '--quiet', 'HEAD'))
  if (!isRemote(repo) || name === undefined) return { waiting: local, merged: [] }
  const fetched = ['task/*', name].map((one) => `+refs/heads/${one}:refs/remotes/${remote}/${one}`)
  await tryGit(path, 'fetch', '--quiet', '--no-tags', '--prune', remote, ...fetched)
  const [folder, target] = [`refs/remotes/${remote}`, `refs/remotes/${remote}/${name}`]
  const [unmerged, merged] = [await list(folder, `--no-merged=${target}`), deleteBranches ? await list(folder, `--merged=${target}`) : []]
  const isLeft = rounds?.left([...unmerged, ...merged])
  const published = unmerged.filter((one) => !isLeft?.(one)).map(({ branch }) => branch)
  const waiting = [...new Set([...local, ...published])]
  return { waiting, merged: merged.filter((one) => !isLeft?.(one) && !isHere.has(one.branch)) }
}
