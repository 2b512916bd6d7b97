import { closed, defineRoute, lastDays, Type } from '@gateway/sdk'
import { records } from '../collections.ts'
import { MEMORY } from '../rules/corpus-words.ts'
import { CHUNK_SOURCES } from '../schema.ts'

const DAYS = 7
export const MAX_TOTAL = 100_000
export const MAX_PER_DAY = 10_000

export const growthRoute = defineRoute({
  name: 'memory.growth',
  description: `Count what was remembered on each of the last ${DAYS} days. Returns {total, added, days}; the total stops at ${MAX_TOTAL}.`,
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/memory/growth',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      total: Type.Integer(),
      added: Type.Integer({ description: `In the last ${DAYS} days.` }),
      days: Type.Array(Type.Integer(), { description: 'Chunks of each day, oldest first; the last ends now.' }),
    },
    closed,
  ),
  uses: { records },
  async handle(_input, { records }, ctx) {
    // Every source is named because the index has it before the time.
    const ofChunks = { corpus: MEMORY, source: { in: [...CHUNK_SOURCES, null] } }
    const [total, days] = await Promise.all([
      records.count({ corpus: MEMORY }, { max: MAX_TOTAL }),
      Promise.all(lastDays(ctx.now(), DAYS).map((createdAt) => records.count({ ...ofChunks, createdAt }, { max: MAX_PER_DAY }))),
    ])
    return { total, added: days.reduce((sum, count) => sum + count, 0), days }
  },
})
