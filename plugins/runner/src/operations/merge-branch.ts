import type { RepoConfig } from '../schema.ts'
import { git, inTurn, tryGit } from './git.ts'
import { removeWorktree } from './worktree.ts'

export interface Target {
  readonly name: string
  readonly commit: string
  /** Merged work is pushed. */
  readonly isRemote: boolean
}

/** Returns the branch that merged work goes to, fetched if it lies at a remote. */
export async function mergeTarget({ path, base, remote, deliver }: RepoConfig): Promise<Target> {
  const name = base ?? (await git(path, 'symbolic-ref', '--short', 'HEAD')).trim()
  const isRemote = deliver === 'push' || deliver === 'pr'
  if (isRemote) await git(path, 'fetch', '--quiet', '--no-tags', remote, `+refs/heads/${name}:refs/remotes/${remote}/${name}`)
  const ref = isRemote ? `refs/remotes/${remote}/${name}` : `refs/heads/${name}`
  return { name, commit: (await git(path, 'rev-parse', '--verify', `${ref}^{commit}`)).trim(), isRemote }
}

/** Rebases a branch onto the target in a worktree of its own. Returns the paths in conflict; none if it applied. */
export async function rebaseOnto(repo: RepoConfig, branch: string, { commit }: Target, worktree: string): Promise<readonly string[]> {
  await removeWorktree({ repo: repo.path, path: worktree })
  await inTurn(repo.path, () => git(repo.path, 'worktree', 'add', '--quiet', '--detach', worktree, `refs/heads/${branch}`))
  const failure = await git(worktree, 'rebase', '--quiet', commit).then(
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

/** Moves the target to the rebased branch and removes the branch. Throws if the target has moved, or its checkout has changes of its own. */
export async function moveTarget(repo: RepoConfig, branch: string, target: Target, worktree: string): Promise<string> {
  const merged = (await git(worktree, 'rev-parse', 'HEAD')).trim()
  const ref = `refs/heads/${target.name}`
  if (target.isRemote) await git(worktree, 'push', '--quiet', '--no-verify', repo.remote, `${merged}:${ref}`)
  else if ((await tryGit(repo.path, 'symbolic-ref', '--quiet', 'HEAD')) === ref)
    await git(repo.path, 'merge', '--quiet', '--ff-only', merged)
  else await git(repo.path, 'update-ref', ref, merged, target.commit)
  await removeWorktree({ repo: repo.path, path: worktree })
  await inTurn(repo.path, () => git(repo.path, 'branch', '--quiet', '-D', branch))
  return merged
}

/** Branches of tasks in a clone, oldest first. */
export async function taskBranches({ path }: RepoConfig, limit: number): Promise<readonly string[]> {
  const format = ['--format=%(refname:short)', '--sort=committerdate', `--count=${limit}`]
  return (await git(path, 'for-each-ref', ...format, 'refs/heads/task/')).split('\n').filter((name) => name !== '')
}
