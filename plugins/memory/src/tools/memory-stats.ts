import { closed, defineTool, Type } from '@gateway/sdk'
import { memoryStats } from '../operations/stats.ts'
import { memoryUses } from '../operations/uses.ts'
import { repoArgument } from '../schema.ts'

const counts = Type.Record(Type.String(), Type.Integer())

export const memoryStatsTool = defineTool({
  name: 'memory_stats',
  description:
    'Count what the fleet remembers, by repo and by source. Returns {total, embedded, byRepo, bySource}; chunks of no repo count under (none).',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/vectors/stats',
  input: Type.Object({ repo: Type.Optional(repoArgument) }, closed),
  output: Type.Object(
    { total: Type.Integer(), embedded: Type.Integer({ description: 'Chunks that have vectors.' }), byRepo: counts, bySource: counts },
    closed,
  ),
  uses: memoryUses,
  async handle({ repo }, uses) {
    const { byRepo, bySource, ...totals } = await memoryStats(repo, uses)
    return { ...totals, byRepo: { ...byRepo }, bySource: { ...bySource } }
  },
})
