import { closed, defineTool, Type } from '@gateway/sdk'
import { snapshots } from '../collections.ts'
import { vitals } from '../operations/health.ts'
import { brainUses } from '../operations/refs.ts'
import { view } from '../operations/view.ts'
import { gradeOf, scoreOf, trendOf, WEIGHTS } from '../rules/health.ts'

const SHOWN = 24
const part = Type.Object({ available: Type.Boolean(), value: Type.Optional(Type.Number()), weight: Type.Integer() }, closed)
const NOTHING = { namespaces: 0, fresh: 0, gaps: [], contradictory: [], asked: 0, answered: 0 }

export const brainHealth = defineTool({
  name: 'brain_health',
  description:
    'Score from 0 to 100 for how far the brain can be relied on, with its grade: from freshness, coverage gaps, contradictions of the last 30 days and the hit rate of recalls. Returns score, grade, parts, details and the trend; a part without records is not available and does not count.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    { record: Type.Optional(Type.Boolean({ default: true, description: 'Record the score for the trend, at most once an hour.' })) },
    closed,
  ),
  output: Type.Object(
    {
      score: Type.Integer(),
      grade: Type.Enum(['excellent', 'good', 'fair', 'poor']),
      parts: Type.Object({ freshness: part, coverage: part, contradictions: part, hitRate: part }, closed),
      details: Type.Object(
        {
          namespaces: Type.Integer(),
          fresh: Type.Integer(),
          gaps: Type.Array(Type.String(), { description: 'Namespaces with neither a handoff nor a brief.' }),
          contradictory: Type.Array(
            Type.Object({ slug: Type.String(), repo: Type.Optional(Type.String()), atoms: Type.Integer() }, closed),
          ),
          asked: Type.Integer(),
          answered: Type.Integer(),
        },
        closed,
      ),
      trend: Type.Object(
        {
          direction: Type.Enum(['up', 'down', 'steady', 'unknown']),
          points: Type.Array(Type.Object({ at: Type.String(), score: Type.Integer() }, closed), {
            description: 'Earlier scores, newest first.',
          }),
        },
        closed,
      ),
      recorded: Type.Boolean(),
    },
    closed,
  ),
  uses: { ...brainUses, snapshots },
  async handle({ record = true }, { snapshots, ...refs }, ctx) {
    const seen = await view(refs, ctx)
    const { details, ...measured } = seen
      ? await vitals(refs, ctx, seen)
      : { freshness: undefined, coverage: undefined, contradictions: undefined, hitRate: undefined, details: NOTHING }
    const score = scoreOf(measured)
    const points = (await snapshots.find({ sort: { at: -1 }, limit: SHOWN })).items.map(({ at, score }) => ({ at, score }))
    const at = ctx.now().toISOString()
    const hour = at.slice(0, 13)
    const isDue = record && seen !== undefined && (await snapshots.get(hour)) === undefined
    if (isDue) await snapshots.upsert({ hour, at, score }, {})
    const shown = (name: keyof typeof WEIGHTS) => {
      const value = measured[name]
      return {
        available: value !== undefined,
        ...(value !== undefined && { value: Math.round(value * 1_000) / 1_000 }),
        weight: WEIGHTS[name],
      }
    }
    return {
      score,
      grade: gradeOf(score),
      parts: {
        freshness: shown('freshness'),
        coverage: shown('coverage'),
        contradictions: shown('contradictions'),
        hitRate: shown('hitRate'),
      },
      details: { ...details, gaps: [...details.gaps], contradictory: details.contradictory.map((one) => ({ ...one })) },
      trend: { direction: trendOf(score, points), points },
      recorded: isDue,
    }
  },
})
