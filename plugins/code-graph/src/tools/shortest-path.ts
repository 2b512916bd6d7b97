import { ManagedReposInvalid } from '@gateway/plugin-repos/api'
import { closed, defineTool, NotFound, Type } from '@gateway/sdk'
import { ask, askUses } from '../operations/ask.ts'
import { EDGE_TYPES } from '../rules/graph.ts'
import { edgeTypes, graph, node, repo } from '../schema.ts'

export const shortestPath = defineTool({
  name: 'shortest_path',
  description:
    'Find how one file leads to another along imports, calls and tests. Returns {path}: the chain of files from src to dst, or null when dst cannot be reached.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({ repo, src: node('Where it begins: a path, or a symbol.'), dst: node('Where it ends.'), edgeTypes }, closed),
  output: Type.Object({ repo: Type.String(), path: Type.Union([Type.Array(Type.String()), Type.Null()]), graph }, closed),
  errors: [ManagedReposInvalid],
  uses: askUses,
  async handle({ repo, src, dst, edgeTypes = [] }, refs, ctx) {
    const { name, folder } = await refs.locator.locate(repo)
    const types = edgeTypes.length === 0 ? EDGE_TYPES : edgeTypes
    const { answer, extent } = await ask(refs, folder, { kind: 'path', src, dst, types }, ctx)
    if ('unknown' in answer)
      throw NotFound({ what: `file or symbol of the code graph (${answer.unknown})`, id: answer.unknown === 'src' ? src : dst })
    return { repo: name, path: answer.path && [...answer.path], graph: extent }
  },
})
