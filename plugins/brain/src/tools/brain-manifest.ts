import { closed, defineTool, Type } from '@gateway/sdk'
import { memoryAtoms, namespacesOf } from '../operations/namespaces.ts'
import { brainUses } from '../operations/refs.ts'
import { view } from '../operations/view.ts'
import { NamespaceView } from '../schema.ts'

const STORES = [
  { store: 'boot brief', tool: 'brain_delta', what: 'The compact brief of all repos: without arguments.' },
  { store: 'briefs', tool: 'brain_lookup', what: 'The brief of a repo, or one topic of it.' },
  { store: 'atoms', tool: 'brain_search', what: 'Sessions, handoffs and memory, by their words.' },
  { store: 'changes', tool: 'brain_delta', what: 'Changes since a commit you have seen.' },
  { store: 'entities', tool: 'brain_entity', what: 'Repos, files, features, persons and decisions, and where they were spoken of.' },
  { store: 'themes', tool: 'brain_communities', what: 'Entities mentioned together.' },
  { store: 'history', tool: 'brain_log', what: 'Commits of the brain; brain_blame joins them with commits of the code.' },
]

export const brainManifest = defineTool({
  name: 'brain_manifest',
  description:
    'The table of contents of the brain: read it first, then fetch what you need. Returns the stores with the tools that fetch them, namespaces, the number of memory atoms and freshnessSha, to pass to brain_delta as since later.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      stores: Type.Array(Type.Object({ store: Type.String(), tool: Type.String(), what: Type.String() }, closed)),
      namespaces: Type.Array(NamespaceView),
      memoryAtoms: Type.Integer(),
      freshnessSha: Type.Union([Type.String(), Type.Null()], { description: 'Commit of main; null before the first.' }),
    },
    closed,
  ),
  uses: brainUses,
  async handle(_, refs, ctx) {
    const seen = await view(refs, ctx)
    if (!seen) return { stores: STORES, namespaces: [], memoryAtoms: 0, freshnessSha: null }
    return {
      stores: STORES,
      namespaces: [...(await namespacesOf(refs, seen))],
      memoryAtoms: await memoryAtoms(refs),
      freshnessSha: seen.main,
    }
  },
})
