import { ManagedReposInvalid } from '@gateway/plugin-repos/api'
import { closed, defineRoute, NotFound, Type } from '@gateway/sdk'
import { ask, askUses } from '../operations/ask.ts'
import { EDGE_TYPES } from '../rules/graph.ts'
import { graph, node, repo } from '../schema.ts'

const STEPS = { default: 2, max: 6 } as const
/** Nodes of one drawing. */
const MAX_NODES = 150

export const codeDependents = defineRoute({
  name: 'code-graph.dependents',
  description:
    'Show what a change of a file or symbol reaches, as a graph: who imports, calls or tests it, and who uses those. Returns {nodes, edges, truncated}, nearest first; names, never contents.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/code-graph/dependents',
  input: Type.Object(
    {
      repo,
      node: node('A path relative to the repo, path#symbol, or the name of a symbol, as Class.method.'),
      maxDistance: Type.Optional(
        Type.Integer({
          default: STEPS.default,
          minimum: 1,
          description: `Number of edges to follow, at most ${STEPS.max}; a larger value means the maximum.`,
        }),
      ),
    },
    closed,
  ),
  output: Type.Object(
    {
      repo: Type.String(),
      nodes: Type.Array(
        Type.Object(
          {
            node: Type.String({ description: 'A path or path#symbol.' }),
            sort: Type.Enum(['changed', 'test', 'dependent']),
            distance: Type.Integer({ description: 'Number of edges to what changes, 0 for that itself.' }),
          },
          closed,
        ),
      ),
      edges: Type.Array(Type.Object({ dependency: Type.String(), dependent: Type.String(), edge: Type.Enum(EDGE_TYPES) }, closed)),
      truncated: Type.Boolean({ description: `True if more than ${MAX_NODES} depend on it; the nearest are kept.` }),
      graph,
    },
    closed,
  ),
  errors: [ManagedReposInvalid],
  uses: askUses,
  async handle({ repo, node, maxDistance = STEPS.default }, refs, ctx) {
    const { name, folder } = await refs.locator.locate(repo)
    const question = { kind: 'dependents', node, maxDistance: Math.min(maxDistance, STEPS.max), most: MAX_NODES } as const
    const { answer, extent } = await ask(refs, folder, question, ctx)
    if (answer.nodes.length === 0) throw NotFound({ what: 'file or symbol of the code graph', id: node })
    return {
      repo: name,
      nodes: answer.nodes.map(({ node, isTest, distance }) => {
        const sort = distance === 0 ? ('changed' as const) : isTest ? ('test' as const) : ('dependent' as const)
        return { node, sort, distance }
      }),
      edges: [...answer.edges],
      truncated: answer.truncated,
      graph: extent,
    }
  },
})
