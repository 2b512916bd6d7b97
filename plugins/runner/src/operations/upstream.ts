import type { RepoConfig, Task } from '../schema.ts'
import { GitFailed, git, tryGit } from './git.ts'
import { wasMerged } from './was-merged.ts'

/** Branch of a task that another one depends on, and its latest commit. */
export interface Upstream {
  readonly branch: string
  readonly tip: string
}

/** Start of the message of a commit that takes the work of a dependency into a new branch. The work of the task itself comes after it. */
const MESSAGE = 'Start with the work of '

/** Returns the base with the work of each dependency that it lacks, merged one after another. Throws if two of them conflict. */
export async function withUpstream(path: string, base: string, upstream: readonly Upstream[]): Promise<string> {
  let start = base
  for (const { branch, tip } of upstream) {
    if (await holds(path, start, tip)) continue
    const { tree, conflicts } = await mergeNews(path, start, tip)
    if (conflicts.length > 0) {
      const others = start === base ? 'the base' : 'the base and the other tasks that this one depends on'
      const files = conflicts.slice(0, 50).join(', ')
      throw new Error(
        `The branch ${branch}, which the task depends on, conflicts with ${others} in ${files}. Rebase it, or delete it if its work is merged.`,
      )
    }
    start = (await git(path, 'commit-tree', tree, '-p', start, '-p', tip, '-m', `${MESSAGE}${branch}`)).trim()
  }
  return start
}

/** Returns the commit that took in the work of the last dependency, if a branch began with one that the target lacks. */
export async function startOf(path: string, target: string, branch: string): Promise<string | undefined> {
  const search = ['--first-parent', '--merges', '--max-count=1', `--grep=^${MESSAGE}task/`]
  const found = await tryGit(path, 'rev-list', ...search, branch, '--not', target)
  return found === '' ? undefined : found
}

/** The first dependency of a task whose branch is not merged into the target yet. */
export async function unmergedUpstream(
  { path, remote }: RepoConfig,
  { dependsOn = [] }: Task,
  target: { readonly commit: string; readonly isRemote: boolean },
  branchOf: (task: Pick<Task, 'taskId'>) => string,
): Promise<string | undefined> {
  for (const taskId of dependsOn) {
    const branch = branchOf({ taskId })
    const places = [...(target.isRemote ? [`refs/remotes/${remote}/${branch}`] : []), `refs/heads/${branch}`]
    for (const place of places) {
      const tip = await tryGit(path, 'rev-parse', '--verify', '--quiet', `${place}^{commit}`)
      if (tip === undefined) continue
      if (!(await holds(path, target.commit, tip))) return branch
      break
    }
  }
  return undefined
}

/**
 * True if a commit has, or had, the work of another: its commits, the same changes under other names, or all that a merge would bring. Work
 * that was squashed stays merged when others change its lines, and work that was reverted does not come back.
 */
export async function holds(path: string, commit: string, work: string): Promise<boolean> {
  if ((await tryGit(path, 'merge-base', '--is-ancestor', work, commit)) !== undefined) return true
  const lacking = await tryGit(path, 'rev-list', '--cherry-pick', '--right-only', '--no-merges', '--max-count=1', `${commit}...${work}`)
  return lacking === '' || wasMerged(path, work, { commit })
}

/** Commits of a branch among which its merged part is searched. */
const MAX_COMMITS = 50

/**
 * Returns the latest commit of a branch, before its tip, whose changes the target has: the code host squashed it, and the branch went on.
 * A branch into which others were merged since has no such part.
 */
export async function mergedPart(path: string, target: string, tip: string): Promise<string | undefined> {
  const search = ['--first-parent', '--parents', `--max-count=${MAX_COMMITS}`, tip, '--not', target]
  const commits = ((await tryGit(path, 'rev-list', ...search)) ?? '').split('\n').map((line) => line.split(' '))
  const tree = await tryGit(path, 'rev-parse', '--verify', '--quiet', `${target}^{tree}`)
  for (const [later, parent = '', ...others] of commits) {
    if (later === '' || parent === '' || others.length > 0) return undefined
    if (!commits.some(([commit]) => commit === parent)) return undefined
    if ((await tryGit(path, 'merge-tree', '--write-tree', '--no-messages', target, parent)) === tree) return parent
  }
  return undefined
}

/** Merges a branch. If it conflicts, and a part of it was squashed into our side, the part is the common base, so that only its later commits count. */
async function mergeNews(path: string, ours: string, theirs: string): Promise<{ tree: string; conflicts: readonly string[] }> {
  const merged = await mergeTree(path, ours, theirs)
  const part = merged.conflicts.length === 0 ? undefined : await mergedPart(path, ours, theirs)
  if (part === undefined) return merged
  const oursAfterPart = (await git(path, 'commit-tree', `${ours}^{tree}`, '-p', part, '-m', 'After the squashed part')).trim()
  return mergeTree(path, oursAfterPart, theirs)
}

/** Merges two commits without a worktree. */
async function mergeTree(path: string, ours: string, theirs: string): Promise<{ tree: string; conflicts: readonly string[] }> {
  const output = await git(path, 'merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, theirs).catch((error: Error) => {
    if (error instanceof GitFailed && error.output !== '') return error.output
    throw error
  })
  const [tree = '', ...conflicts] = output.split('\0').filter((name) => name !== '')
  return { tree: tree.trim(), conflicts }
}
