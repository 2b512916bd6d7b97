import { closed, defineTool, foldCase, rowLimit, Type } from '@gateway/sdk'
import { namespaceOf } from '../operations/namespace-of.ts'
import { brainUses } from '../operations/refs.ts'
import { view } from '../operations/view.ts'
import { newestAtoms } from '../operations/window.ts'
import { communitiesOf } from '../rules/communities.ts'
import { CommunityView, namespaceSchema } from '../schema.ts'

const ROWS = rowLimit(20, 200, 'Communities')
const SIZE = rowLimit(2, 50, 'Entities a community has at least')
const ATOMS = rowLimit(800, 5_000, 'The newest atoms that are looked at')

export const brainCommunities = defineTool({
  name: 'brain_communities',
  description:
    'Themes of the brain: files, features, persons and decisions that atoms mention together, as groups. Returns communities with their entities, repos, topics, times and some atoms, the largest first.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      query: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of an entity, topic or title.' })),
      repo: Type.Optional(namespaceSchema),
      minSize: SIZE.argument,
      limit: ROWS.argument,
      atomLimit: ATOMS.argument,
    },
    closed,
  ),
  output: Type.Object({ communities: Type.Array(CommunityView), atomsScanned: Type.Integer() }, closed),
  uses: brainUses,
  async handle({ query, repo: named, minSize, limit, atomLimit }, refs, ctx) {
    const repo = await namespaceOf(refs, named)
    const seen = await view(refs, ctx)
    if (!seen) return { communities: [], atomsScanned: 0 }
    const atoms = await newestAtoms(refs, seen, ATOMS.of(atomLimit), { namespace: repo })
    const asked = query === undefined ? undefined : foldCase(query)
    const found = communitiesOf(atoms, SIZE.of(minSize)).filter(
      ({ entities, topics, sample }) =>
        asked === undefined ||
        [...entities.map(({ name }) => name), ...topics, ...sample.map(({ title }) => title)].some((text) =>
          foldCase(text).includes(asked),
        ),
    )
    return { communities: found.slice(0, ROWS.of(limit)).map(plain), atomsScanned: atoms.length }
  },
})

type Found = ReturnType<typeof communitiesOf>[number]
export const plain = ({ entities, repos, topics, sample, ...one }: Found) => ({
  ...one,
  entities: entities.map((entity) => ({ ...entity })),
  repos: [...repos],
  topics: [...topics],
  sample: sample.map((atom) => ({ ...atom })),
})
