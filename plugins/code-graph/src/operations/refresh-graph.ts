import { git } from '@gateway/plugin-git/api'
import { type CallContext, optional, type Resolved } from '@gateway/sdk'
import { DEPTH } from '../schema.ts'
import { ask, askUses } from './ask.ts'

export const refreshUses = { ...askUses, git: optional(git) }
type Refs = Resolved<typeof refreshUses>

/**
 * Reads what has changed in the folder of a repo whose graph was asked for before. `behind`: the folder does not have the pushed
 * commit yet. `skipped`: no folder, no graph, or one that cannot be read now, which the next question tells.
 */
export async function refreshGraph(
  { git, ...refs }: Refs,
  repo: string,
  commit: string,
  ctx: CallContext,
): Promise<'refreshed' | 'behind' | 'skipped'> {
  try {
    const { folder } = await refs.locator.locate(repo)
    const { items } = await refs.shards.find({ where: { repo: folder }, limit: 1 })
    if (items.length === 0) return 'skipped'
    await ask(refs, folder, { kind: 'triage', prs: [], maxDepth: DEPTH.default }, ctx)
    const isPresent = !git || 'files' in (await git.workTree(folder).branchChanges(commit, commit, 1))
    return isPresent ? 'refreshed' : 'behind'
  } catch (error) {
    ctx.log.info('the code graph of a pushed repo was not read again', { repo, err: error })
    return 'skipped'
  }
}
