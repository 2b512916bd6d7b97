import { ManagedReposInvalid } from '@gateway/plugin-repos/api'
import { closed, defineTool, NotFound, Type } from '@gateway/sdk'
import { ask, askUses } from '../operations/ask.ts'
import { EDGE_TYPES } from '../rules/graph.ts'
import { DIRECTIONS } from '../rules/neighbors.ts'
import { edgeTypes, graph, node, repo } from '../schema.ts'

const Neighbor = Type.Object(
  {
    node: Type.String({ description: 'A path, path#symbol, or the name of a package.' }),
    kind: Type.Enum(['file', 'symbol', 'package']),
    edge: Type.Enum(EDGE_TYPES),
    direction: Type.Enum(['out', 'in']),
    of: Type.String({ description: 'Node whose neighbour it is.' }),
  },
  closed,
)

export const getNeighbors = defineTool({
  name: 'get_neighbors',
  description:
    'Show what a file or symbol imports, calls or tests (out), or is imported, called or tested by (in). Returns {nodes, neighbors}: names and edges, never contents.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      repo,
      node: node(
        'A path relative to the repo, path#symbol, or the name of a symbol, as Class.method; of several of that name all are shown.',
      ),
      direction: Type.Optional(Type.Enum(DIRECTIONS, { default: 'out', description: 'out follows the edges, in goes against them.' })),
      edgeTypes,
    },
    closed,
  ),
  output: Type.Object(
    {
      repo: Type.String(),
      nodes: Type.Array(Type.String()),
      neighbors: Type.Array(Neighbor),
      count: Type.Integer(),
      truncated: Type.Boolean(),
      graph,
    },
    closed,
  ),
  errors: [ManagedReposInvalid],
  uses: askUses,
  async handle({ repo, node, direction = 'out', edgeTypes = [] }, refs, ctx) {
    const { name, folder } = await refs.locator.locate(repo)
    const types = edgeTypes.length === 0 ? EDGE_TYPES : edgeTypes
    const { answer, extent } = await ask(refs, folder, { kind: 'neighbors', node, direction, types }, ctx)
    if (answer.nodes.length === 0) throw NotFound({ what: 'file or symbol of the code graph', id: node })
    return { repo: name, ...answer, graph: extent }
  },
})
