import { git } from '@gateway/plugin-git/api'
import { ManagedReposInvalid } from '@gateway/plugin-repos/api'
import { closed, defined, defineTool, optional, Type } from '@gateway/sdk'
import { ask, askUses } from '../operations/ask.ts'
import { changesOf } from '../operations/pr-changes.ts'
import { LEVELS } from '../rules/risk.ts'
import { base, DEPTH, files, graph, head, maxDepth, repo } from '../schema.ts'

const MAX_PRS = 100
const label = Type.String({ maxLength: 500 })

const Pr = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 200, description: 'Unique in the list.' }),
    label: Type.Optional(label),
    files: Type.Optional(files),
    base: Type.Optional(base),
    head: Type.Optional(head),
  },
  closed,
)
const Row = Type.Object(
  {
    id: Type.String(),
    label: Type.Optional(label),
    risk: Type.Number(),
    level: Type.Enum(LEVELS),
    changedFiles: Type.Integer(),
    affectedFiles: Type.Integer(),
    callers: Type.Integer(),
    affectedTests: Type.Integer(),
    untestedFiles: Type.Array(Type.String(), { description: 'The first changed sources without a known test.' }),
    unknownFiles: Type.Array(Type.String(), { description: 'The first changed files that are not in the graph.' }),
    sharesFilesWith: Type.Array(Type.String(), { description: 'Ids of other entries that change the same files.' }),
  },
  closed,
)

export const triagePrs = defineTool({
  name: 'triage_prs',
  description:
    'Rank pull requests by risk, the riskiest first, from what their changes touch: files, importers, callers, missing tests, files that others change too. Each needs files, or both base and head. Returns {prs}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ repo, prs: Type.Array(Pr, { maxItems: MAX_PRS, description: `At most ${MAX_PRS}.` }), maxDepth }, closed),
  output: Type.Object({ repo: Type.String(), prs: Type.Array(Row), graph }, closed),
  errors: [ManagedReposInvalid],
  uses: { ...askUses, git: optional(git) },
  async handle({ repo, prs, maxDepth = DEPTH.default }, { git, ...refs }, ctx) {
    const { name, folder } = await refs.locator.locate(repo)
    const changes = await changesOf(prs, folder, git)
    const question = { kind: 'triage', prs: changes, maxDepth: Math.min(maxDepth, DEPTH.max) } as const
    const { answer, extent } = await ask(refs, folder, question, ctx)
    const labels = new Map(prs.map(({ id, label }) => [id, label]))
    const rows = answer.prs.map((one) => {
      const label = labels.get(one.id)
      return { ...one, ...defined({ label }) }
    })
    return { repo: name, prs: rows, graph: extent }
  },
})
