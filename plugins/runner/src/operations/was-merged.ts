import { git, tryGit } from './git.ts'

/** Commits of the target that are compared with a branch: the newest ones that touched its paths. */
const MAX_COMMITS = 100
/** The command line of git has no room for all paths of a very large branch. */
const MAX_PATHS = 500

/**
 * True if the target has, or had, all that a branch changes: it changes nothing, or merging it into a commit of the target after the
 * common one leaves that commit as it is. A code host may have squashed the branch, and others may have changed or reverted the lines since.
 */
export async function wasMerged(path: string, tip: string, { commit }: { readonly commit: string }): Promise<boolean> {
  const base = await tryGit(path, 'merge-base', commit, tip)
  if (base === undefined) return false
  const changed = (await git(path, 'diff', '--no-ext-diff', '--no-renames', '--name-only', '-z', base, tip)).split('\0').filter(Boolean)
  if (changed.length === 0) return true
  const places = changed.length > MAX_PATHS ? [] : changed
  const range = ['--first-parent', `--max-count=${MAX_COMMITS}`, '--format=%H %T', `${base}..${commit}`, '--', ...places]
  const commits = (await git(path, '--literal-pathspecs', 'log', ...range)).split('\n').filter(Boolean)
  for (const line of commits) {
    const [at = '', tree] = line.split(' ')
    // A merge in conflict fails.
    if ((await tryGit(path, 'merge-tree', '--write-tree', '--no-messages', at, tip)) === tree) return true
  }
  return false
}
