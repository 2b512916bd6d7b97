import { git } from '@gateway/plugin-git/api'
import { type CallContext, optional, type Resolved } from '@gateway/sdk'
import type { Pull } from '../collections.ts'
import type { Level } from '../rules/risk.ts'
import { DEPTH } from '../schema.ts'
import { ask, askUses } from './ask.ts'

export const triageUses = { ...askUses, git: optional(git) }
type Refs = Resolved<typeof triageUses>

const MAX_FILES = 5_000

/** The risk of a pull request from its commits in the folder of its repo; `undefined` while either is not there. */
export async function riskOfPull(
  { git, ...refs }: Refs,
  { repo, url, base, branch, commit }: Pull,
  ctx: CallContext,
): Promise<{ risk: number; level: Level } | undefined> {
  try {
    const { folder } = await refs.locator.locate(repo)
    const files = git && (await filesBetween(git.workTree(folder), [`origin/${base}`, base], [commit, `origin/${branch}`, branch]))
    if (!files) return undefined
    const { answer } = await ask(refs, folder, { kind: 'triage', prs: [{ id: url, files }], maxDepth: DEPTH.default }, ctx)
    const [row] = answer.prs
    return row && { risk: row.risk, level: row.level }
  } catch (error) {
    ctx.log.info('the risk of a pull request is not known', { url, err: error })
    return undefined
  }
}

/** Changed files between the first base and the first head that the folder knows. */
async function filesBetween(
  tree: ReturnType<NonNullable<Refs['git']>['workTree']>,
  bases: readonly string[],
  heads: readonly (string | undefined)[],
): Promise<readonly string[] | undefined> {
  for (const base of bases) {
    for (const head of heads) {
      if (!head) continue
      const changes = await tree.branchChanges(base, head, MAX_FILES)
      if ('files' in changes) return changes.files
      if (changes.missing === 'base') break
    }
  }
  return undefined
}
