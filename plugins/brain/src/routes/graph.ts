import { closed, defineRoute, NotFound, repoText, rowLimit, Type } from '@gateway/sdk'
import { openBranches } from '../operations/branches.ts'
import { brainUses } from '../operations/refs.ts'
import { view } from '../operations/view.ts'
import { graphRows } from '../rules/graph-rows.ts'
import { checkBranch, checkRepo, MAIN } from '../rules/names.ts'
import { repoFolder } from '../rules/paths.ts'

const ROWS = rowLimit(60, 200, 'Commits')

const Row = Type.Object(
  {
    sha: Type.String(),
    parents: Type.Array(Type.String(), { description: 'A merge has two. Of a repo: the nearest earlier commits about it.' }),
    at: Type.String(),
    subject: Type.String(),
    trunk: Type.Boolean({ description: 'True for the commits of main itself.' }),
    branch: Type.Optional(Type.String({ description: 'The branch whose newest commit it is.' })),
    furtherBranches: Type.Optional(Type.Array(Type.String())),
    before: Type.String({ description: 'The commit to compare it with: its first parent, or itself for the oldest one.' }),
  },
  closed,
)

export const brainGraph = defineRoute({
  name: 'brain.graph',
  description:
    'Show how the branches of the brain left main and were merged into it: the newest commits of all open branches, or of main and one branch, and of one repo if you name it. Returns {commits, branches, more}, newest first.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/brain/graph',
  input: Type.Object(
    {
      branch: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'An open branch. Default: all.' })),
      repo: Type.Optional(repoText(200)),
      limit: ROWS.argument,
    },
    closed,
  ),
  output: Type.Object(
    {
      commits: Type.Array(Row),
      branches: Type.Integer({ description: 'Open branches besides main.' }),
      more: Type.Boolean({ description: 'True if there are older commits.' }),
    },
    closed,
  ),
  uses: brainUses,
  async handle({ branch, repo, limit }, refs, ctx) {
    if (branch !== undefined) checkBranch('branch', branch)
    if (repo !== undefined) checkRepo('repo', repo)
    const seen = await view(refs, ctx)
    if (!seen) return { commits: [], branches: 0, more: false }
    const open = await openBranches(refs, ctx, seen)
    const side = branch === undefined || branch === MAIN ? undefined : open.find((one) => one.branch === branch)
    if (branch !== undefined && branch !== MAIN && !side) throw NotFound({ what: 'branch', id: branch })
    const main = { branch: MAIN, tip: seen.main }
    const tips = [main, ...(branch === undefined ? open : side ? [side] : [])]
    const path = repo === undefined ? undefined : repoFolder(repo)
    const most = ROWS.of(limit)
    const commits = await seen.repo.graph({ tips: tips.map(({ tip }) => tip), path, limit: most + 1 })
    const [newest] = path === undefined ? [] : await seen.repo.log({ to: seen.main, path, limit: 1 })
    return {
      commits: graphRows(commits.slice(0, most), tips, newest?.sha ?? seen.main),
      branches: open.length,
      more: commits.length > most,
    }
  },
})
