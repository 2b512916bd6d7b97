import { closed, defineTool, Type } from '@gateway/sdk'
import { bootBrief, briefOf, topicOf, topicsOf } from '../operations/briefs.ts'
import { namespaceOf } from '../operations/namespace-of.ts'
import { countRecall } from '../operations/recall-counts.ts'
import { brainUses } from '../operations/refs.ts'
import { topicBySearch } from '../operations/topic-search.ts'
import { view } from '../operations/view.ts'
import { checkRepo } from '../rules/names.ts'
import { matchTopic } from '../rules/topic-match.ts'
import { namespaceSchema, topicSchema } from '../schema.ts'

const BRIEF_CHARACTERS = 6_000

export const brainLookup = defineTool({
  name: 'brain_lookup',
  description:
    'Look up one topic of the compiled brief of a repo, by its name or by a question. Returns {matched: true, topic, section}; without a match {matched: false, brief, availableTopics}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      repo: Type.Optional(namespaceSchema),
      query: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
      topic: Type.Optional(topicSchema),
    },
    closed,
  ),
  output: Type.Object(
    {
      matched: Type.Boolean(),
      topic: Type.Optional(Type.String()),
      section: Type.Optional(Type.String()),
      brief: Type.Optional(Type.String()),
      availableTopics: Type.Array(Type.String()),
    },
    closed,
  ),
  uses: brainUses,
  async handle({ repo: asked, query, topic }, refs, ctx) {
    const repo = await namespaceOf(refs, asked)
    if (repo !== undefined) checkRepo('repo', repo)
    const seen = await view(refs, ctx)
    if (!seen) return { matched: false, brief: '', availableTopics: [] }
    const availableTopics = [...(await topicsOf(refs, seen, repo))]
    const named = topic !== undefined && availableTopics.includes(topic) ? topic : undefined
    const matched =
      named ?? (query === undefined ? undefined : (matchTopic(query, availableTopics) ?? (await topicBySearch(refs, seen, query, repo))))
    if (matched === undefined) {
      // A call with neither argument asks for the brief, and always gets it.
      if (query !== undefined || topic !== undefined) await countRecall(refs, ctx, [])
      return {
        matched: false,
        brief: repo === undefined ? await bootBrief(refs, BRIEF_CHARACTERS) : await briefOf(refs, seen, repo),
        availableTopics,
      }
    }
    const { atoms, text } = await topicOf(refs, seen, repo, matched)
    await countRecall(
      refs,
      ctx,
      atoms.map((atom) => ({ atom, arm: 'topic' })),
    )
    return { matched: true, topic: matched, section: text, availableTopics }
  },
})
