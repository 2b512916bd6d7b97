import { closed, defined, defineTool, Type } from '@gateway/sdk'
import { activationUses, recordStep } from '../operations/activation.ts'
import { deltaOf } from '../operations/delta.ts'
import { namespaceOf } from '../operations/namespace-of.ts'
import { brainUses } from '../operations/refs.ts'
import { view } from '../operations/view.ts'
import { checkRepo } from '../rules/names.ts'
import { namespaceSchema, topicSchema } from '../schema.ts'

const News = Type.Object({ path: Type.String(), sha8: Type.String(), topic: Type.String(), title: Type.String() }, closed)

export const brainDelta = defineTool({
  name: 'brain_delta',
  description:
    'Show what is new on main since the commit you last saw, or since the lastAnchor of a repo; with neither, the compact boot brief. Returns new atoms, commits and changed compiled artifacts, newest first within the budget, and `to` for the next time.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      since: Type.Optional(Type.String({ minLength: 4, maxLength: 40, description: 'Last-seen commit of main, at least 7 digits.' })),
      repo: Type.Optional(namespaceSchema),
      budget: Type.Optional(
        Type.Integer({
          minimum: 100,
          maximum: 100_000,
          default: 3_200,
          description: 'Maximum length of the answer as JSON, in characters.',
        }),
      ),
      topic: Type.Optional(topicSchema),
    },
    closed,
  ),
  output: Type.Object(
    {
      mode: Type.Enum(['delta', 'brief']),
      from: Type.Optional(Type.String()),
      to: Type.Union([Type.String(), Type.Null()], { description: 'Commit of main.' }),
      brief: Type.Optional(Type.String()),
      atoms: Type.Array(News),
      commits: Type.Array(Type.Object({ sha: Type.String(), date: Type.String(), subject: Type.String() }, closed)),
      compiled: Type.Array(Type.String(), { description: 'Paths of briefs and topic sections that changed.' }),
      truncated: Type.Boolean({ description: 'Entries beyond the budget were left out.' }),
    },
    closed,
  ),
  uses: { ...brainUses, ...activationUses },
  async handle({ budget = 3_200, repo: named, ...given }, refs, ctx) {
    const repo = await namespaceOf(refs, named)
    const asked = { ...given, ...defined({ repo }) }
    if (asked.repo !== undefined) checkRepo('repo', asked.repo)
    const seen = await view(refs, ctx)
    if (!seen) return { mode: 'brief' as const, to: null, brief: '', atoms: [], commits: [], compiled: [], truncated: false }
    const delta = await deltaOf(refs, seen, { ...asked, budget })
    if (delta.mode === 'delta') await recordStep(refs, 'first_brain_delta', ctx)
    return delta
  },
})
