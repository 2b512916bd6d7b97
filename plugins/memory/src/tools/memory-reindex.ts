import { closed, defineTool, Type } from '@gateway/sdk'
import { memoryContributor } from '../api.ts'
import { reindex } from '../operations/reindex.ts'
import { memoryUses } from '../operations/uses.ts'

/** Maximum listed; the totals include all. */
const MAX_RESULTS = 1_000

const result = Type.Object(
  {
    origin: Type.String(),
    repo: Type.Optional(Type.String()),
    chunks: Type.Integer(),
    stored: Type.Integer({ description: 'Number of new chunks.' }),
    removed: Type.Integer(),
    error: Type.Optional(Type.String({ description: 'Reason it could not be read.' })),
  },
  closed,
)

export const memoryReindex = defineTool({
  name: 'memory_reindex',
  description:
    'Update the memory from the state files, handoff files, archives and the brain’s session atoms of the master repo, or from those of all repos and from conversations. New content is stored, deleted content is removed; a second run stores nothing. Returns {scope, totalStored, results}.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  rest: 'POST /api/vectors/index',
  input: Type.Object(
    {
      // Anything but `all` means master, on every transport.
      scope: Type.Union([Type.Enum(['master', 'all'], { type: 'string' }), Type.String({ maxLength: 200 })], {
        default: 'master',
        description: 'The master repo, or all repos and conversations; only `all` also removes what is no longer listed.',
      }),
    },
    closed,
  ),
  output: Type.Object(
    {
      scope: Type.Enum(['master', 'all'], { type: 'string' }),
      totalStored: Type.Integer(),
      totalRemoved: Type.Integer(),
      results: Type.Array(result, { description: `Result of each file, at most the first ${MAX_RESULTS}.` }),
    },
    closed,
  ),
  uses: { ...memoryUses, contributors: memoryContributor },
  async handle({ scope: asked }, { contributors, ...uses }, ctx) {
    const scope = asked === 'all' ? ('all' as const) : ('master' as const)
    const results = await reindex(scope, contributors, uses, ctx)
    const sum = (of: 'stored' | 'removed'): number => results.reduce((total, one) => total + one[of], 0)
    return { scope, totalStored: sum('stored'), totalRemoved: sum('removed'), results: results.slice(0, MAX_RESULTS) }
  },
})
