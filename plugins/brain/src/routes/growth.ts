import { closed, DAY_MS, defineRoute, lastDays, Type } from '@gateway/sdk'
import { atoms, namespaces } from '../collections.ts'
import { atomCounts } from '../operations/namespaces.ts'

const DAYS = 7
/** Namespaces with the newest atoms; further ones had none lately. */
const MAX_NAMESPACES = 200
export const MAX_PER_DAY = 1_000

export const brainGrowth = defineRoute({
  name: 'brain.growth',
  description: `Count the atoms that main has, and those of each of the last ${DAYS} days. Returns {total, added, days}.`,
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/brain/growth',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      total: Type.Integer(),
      added: Type.Integer({ description: `In the last ${DAYS} days.` }),
      days: Type.Array(Type.Integer(), { description: 'Atoms of each day, oldest first; the last ends now.' }),
    },
    closed,
  ),
  uses: { atoms, namespaces },
  async handle(_input, { atoms, namespaces }, ctx) {
    const now = ctx.now()
    const since = new Date(now.getTime() - DAYS * DAY_MS).toISOString()
    const where = { branch: 'main', newestAt: { gte: since } } as const
    const recent = await namespaces.find({ where, sort: { newestAt: -1 }, limit: MAX_NAMESPACES })
    const names = recent.items.map(({ namespace }) => namespace)
    const [{ total }, days] = await Promise.all([
      atomCounts({ namespaces }),
      Promise.all(
        lastDays(now, DAYS).map(async (at) =>
          names.length === 0 ? 0 : atoms.count({ branch: 'main', namespace: { in: names }, at }, { max: MAX_PER_DAY }),
        ),
      ),
    ])
    return { total, added: days.reduce((sum, count) => sum + count, 0), days }
  },
})
