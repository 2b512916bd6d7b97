import { closed, defineTool, Type } from '@gateway/sdk'
import { brainUses } from '../operations/refs.ts'
import { upperBound } from '../rules/bandit.ts'

export const brainBanditStats = defineTool({
  name: 'brain_bandit_stats',
  description:
    'Count how well each way of finding atoms has done: how often its finds were shown (pulls), and put to use within a week (rewards). It only counts: searches use all ways at once. Returns {available, arms}; available is false, with the reason, before anything was indexed or found.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      available: Type.Boolean(),
      reason: Type.Optional(Type.Enum(['not_indexed', 'no_pulls'])),
      totalPulls: Type.Integer(),
      arms: Type.Array(
        Type.Object(
          {
            arm: Type.String(),
            pulls: Type.Integer(),
            rewards: Type.Integer(),
            mean: Type.Number(),
            upperBound: Type.Number(),
            updatedAt: Type.String(),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
  uses: brainUses,
  async handle(_, refs) {
    const none = (reason: 'not_indexed' | 'no_pulls') => ({ available: false, reason, totalPulls: 0, arms: [] })
    if ((await refs.branches.count({}, { max: 1 })) === 0) return none('not_indexed')
    const arms = (await refs.arms.find({ limit: 100 })).items.filter(({ pulls }) => pulls > 0)
    if (arms.length === 0) return none('no_pulls')
    const totalPulls = arms.reduce((sum, { pulls }) => sum + pulls, 0)
    const rated = arms.map((arm) => ({ ...arm, mean: round(arm.rewards / arm.pulls), upperBound: round(upperBound(arm, totalPulls)) }))
    return { available: true, totalPulls, arms: rated.sort((a, b) => b.pulls - a.pulls) }
  },
})

const round = (value: number): number => Math.round(value * 10_000) / 10_000
