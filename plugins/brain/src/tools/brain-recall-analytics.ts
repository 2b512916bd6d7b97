import { closed, defineTool, rowLimit, Type } from '@gateway/sdk'
import { recallsSince } from '../operations/health.ts'
import { namespaceOf } from '../operations/namespace-of.ts'
import { deadAtoms, heatmap, mostRecalled } from '../operations/recall-analytics.ts'
import { brainUses } from '../operations/refs.ts'
import { view } from '../operations/view.ts'
import { namespaceSchema } from '../schema.ts'

const TOP = rowLimit(20, 500, 'Most-recalled atoms')
const DEAD = rowLimit(50, 1_000, 'Dead atoms')
const optional = (text: ReturnType<typeof Type.String>) => Type.Optional(text)

export const brainRecallAnalytics = defineTool({
  name: 'brain_recall_analytics',
  description:
    'Show what of the brain is used: the most-recalled atoms, how stale each repo is, and atoms that no recall ever found, which could go. Returns top, heatmap, dead, the hit rate of 30 days and gc.candidatePaths; it deletes nothing, and pinned or fresh atoms are never dead.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      repo: Type.Optional(namespaceSchema),
      topLimit: TOP.argument,
      deadLimit: DEAD.argument,
      minDeadAgeDays: Type.Optional(
        Type.Number({ minimum: 0, maximum: 36_500, default: 14, description: 'Days; younger atoms are never dead.' }),
      ),
    },
    closed,
  ),
  output: Type.Object(
    {
      top: Type.Array(
        Type.Object(
          {
            path: Type.String(),
            title: Type.String(),
            repo: optional(Type.String()),
            recalls: Type.Integer(),
            lastRecalledAt: Type.String(),
          },
          closed,
        ),
      ),
      heatmap: Type.Array(
        Type.Object(
          {
            repo: optional(Type.String()),
            under7Days: Type.Integer(),
            under30Days: Type.Integer(),
            under90Days: Type.Integer(),
            older: Type.Integer(),
          },
          closed,
        ),
        { description: 'Atoms by age; without repo, those of memory.' },
      ),
      dead: Type.Array(
        Type.Object(
          { path: Type.String(), sha8: Type.String(), title: Type.String(), repo: optional(Type.String()), at: Type.String() },
          closed,
        ),
      ),
      gc: Type.Object({ candidatePaths: Type.Array(Type.String()) }, closed),
      recalls: Type.Object(
        { available: Type.Boolean(), asked: Type.Integer(), answered: Type.Integer(), hitRate: Type.Optional(Type.Number()) },
        closed,
      ),
    },
    closed,
  ),
  uses: brainUses,
  async handle({ repo: named, topLimit, deadLimit, minDeadAgeDays = 14 }, refs, ctx) {
    const repo = await namespaceOf(refs, named)
    const seen = await view(refs, ctx)
    const none = { available: false, asked: 0, answered: 0 }
    if (!seen) return { top: [], heatmap: [], dead: [], gc: { candidatePaths: [] }, recalls: none }
    const dead = await deadAtoms(refs, ctx, { repo, limit: DEAD.of(deadLimit), minAgeDays: minDeadAgeDays })
    const { asked, answered } = await recallsSince(refs, new Date(ctx.now().getTime() - 30 * 86_400_000).toISOString().slice(0, 10))
    return {
      top: await mostRecalled(refs, repo, TOP.of(topLimit)),
      heatmap: await heatmap(refs, ctx, repo),
      dead: dead.map(({ path, sha8, title, namespace, at }) => ({ path, sha8, title, ...(namespace !== '' && { repo: namespace }), at })),
      gc: { candidatePaths: dead.map(({ path }) => path) },
      recalls: asked === 0 ? none : { available: true, asked, answered, hitRate: Math.round((1_000 * answered) / asked) / 1_000 },
    }
  },
})
