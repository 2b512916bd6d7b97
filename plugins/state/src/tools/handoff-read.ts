import { ManagedReposInvalid, repoResolver } from '@gateway/plugin-repos/api'
import { closed, defineTool, rowLimit, Type } from '@gateway/sdk'
import { handoffs, heads } from '../collections.ts'
import { latestPerRepo, readHandoffs } from '../operations/read-handoffs.ts'
import { Handoff, hint, repo } from '../schema.ts'

const ROWS = rowLimit(100, 500, 'Without repo: repos')
const MAX_HISTORY = 100

const inRow = Type.Object(
  {
    ...Handoff.properties,
    truncated: Type.Optional(Type.Boolean({ description: 'Only the beginning of content is shown.' })),
    entries: Type.Integer({ description: 'Entries of its repo.' }),
  },
  closed,
)

export const handoffRead = defineTool({
  name: 'handoff_read',
  description:
    'Read the latest handoff of a repo. Returns {repo, latest, total, history?}, latest null if the repo has no handoff; without repo {handoffs}, the latest of each repo, newest first.',
  capability: 'read',
  effect: 'read',
  listing: 'core',
  input: Type.Object(
    {
      repo: Type.Optional(repo),
      history: Type.Optional(
        Type.Integer({ default: 0, minimum: 0, description: `Entries to add, newest first; at most ${MAX_HISTORY}.` }),
      ),
      limit: ROWS.argument,
    },
    closed,
  ),
  output: Type.Object(
    {
      repo: Type.Optional(Type.String()),
      latest: Type.Optional(Type.Union([Handoff, Type.Null()])),
      total: Type.Optional(Type.Integer({ description: 'Entries of the repo.' })),
      history: Type.Optional(Type.Array(Handoff)),
      truncated: Type.Optional(Type.Boolean({ description: 'Older entries were left out because of the length limit.' })),
      handoffs: Type.Optional(Type.Array(inRow)),
      hint,
    },
    closed,
  ),
  errors: [ManagedReposInvalid],
  uses: { handoffs, heads, resolver: repoResolver },
  async handle({ repo, history = 0, limit }, uses, ctx) {
    if (repo === undefined) return { handoffs: await latestPerRepo(ROWS.of(limit), uses) }
    return readHandoffs(repo, Math.min(history, MAX_HISTORY), uses, ctx)
  },
})
