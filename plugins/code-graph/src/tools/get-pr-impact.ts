import { git } from '@gateway/plugin-git/api'
import { ManagedReposInvalid } from '@gateway/plugin-repos/api'
import { closed, defineTool, optional, Type } from '@gateway/sdk'
import { ask, askUses } from '../operations/ask.ts'
import { changedFiles } from '../operations/changed-files.ts'
import { base, DEPTH, files, graph, head, maxDepth, repo } from '../schema.ts'

export const getPrImpact = defineTool({
  name: 'get_pr_impact',
  description:
    'Work out what a change touches: files that import the changed ones, callers of what they define, tests. Give files, or base and head. Returns {affectedFiles, callers, affectedTests} and more, a lower bound: an edge that cannot be proved is left out.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ repo, files: Type.Optional(files), base: Type.Optional(base), head: Type.Optional(head), maxDepth }, closed),
  output: Type.Object(
    {
      repo: Type.String(),
      changedFiles: Type.Integer(),
      affectedFiles: Type.Array(
        Type.Object({ file: Type.String(), depth: Type.Integer({ description: 'Distance in imports.' }) }, closed),
        { description: 'Nearest first.' },
      ),
      callers: Type.Array(Type.Object({ caller: Type.String(), calls: Type.String() }, closed), {
        description: 'Written as file#symbol; only the file if the call runs while it loads.',
      }),
      affectedTests: Type.Array(Type.String()),
      untestedFiles: Type.Array(Type.String(), { description: 'Changed sources without a known test.' }),
      unknownFiles: Type.Array(Type.String(), { description: 'Changed files that are not in the graph: deleted, or in another language.' }),
      counts: Type.Object({ affectedFiles: Type.Integer(), callers: Type.Integer(), affectedTests: Type.Integer() }, closed),
      truncated: Type.Boolean({ description: 'Lists are cut; counts are complete.' }),
      graph,
    },
    closed,
  ),
  errors: [ManagedReposInvalid],
  uses: { ...askUses, git: optional(git) },
  async handle({ repo, maxDepth = DEPTH.default, ...change }, { git, ...refs }, ctx) {
    const { name, folder } = await refs.locator.locate(repo)
    const files = await changedFiles(change, folder, git)
    const question = { kind: 'impact', files, maxDepth: Math.min(maxDepth, DEPTH.max) } as const
    const { answer, extent } = await ask(refs, folder, question, ctx)
    return { repo: name, changedFiles: files.length, ...answer, graph: extent }
  },
})
