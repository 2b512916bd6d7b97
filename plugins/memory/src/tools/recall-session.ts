import { closed, defined, defineTool, Type } from '@gateway/sdk'
import { checkDay, modeFields, queryArgument, requireSubject } from '../operations/search-arguments.ts'
import { searchSources } from '../operations/search-sources.ts'
import { searchUses } from '../operations/uses.ts'
import { blocksOf } from '../rules/blocks.ts'
import { shown } from '../rules/chunk.ts'
import { chunkFields, repoArgument } from '../schema.ts'

/** A long block has several chunks among the hits. */
const CHUNKS_A_BLOCK = 4

const { hash: _hash, headings: _headings, ...facts } = chunkFields
const block = Type.Object(
  {
    ...facts,
    title: Type.Optional(Type.String({ description: 'Title of the file and the headings above it.' })),
    truncated: Type.Optional(Type.Boolean()),
    score: Type.Number(),
    foundBy: Type.Array(Type.Enum(['words', 'vectors', 'exact'], { type: 'string' })),
  },
  closed,
)

export const recallSession = defineTool({
  name: 'recall_session',
  description:
    'Find past sessions that are about something: blocks of the archives, handoffs, session atoms, and what was stored with a session id, the nearest first. Returns the parts of each block that fit the query.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      query: { ...queryArgument, minLength: 1 },
      k: Type.Integer({ minimum: 1, maximum: 50, default: 5, description: 'Number of blocks.' }),
      since: Type.Optional(Type.String({ format: 'date', maxLength: 10, description: 'YYYY-MM-DD: oldest day, UTC.' })),
      repo: Type.Optional(repoArgument),
    },
    closed,
  ),
  output: Type.Object({ count: Type.Integer(), blocks: Type.Array(block), ...modeFields }, closed),
  uses: searchUses,
  check({ query, since }) {
    requireSubject(query, undefined)
    checkDay(since, 'since')
  },
  async handle({ query, k, since, repo }, uses, ctx) {
    const { mode, model, hint, hits } = await searchSources({ query, since, repo, sessions: true, limit: k * CHUNKS_A_BLOCK }, uses, ctx)
    const blocks = shown(blocksOf(hits, k)).map((one) => ({ ...one, tags: [...one.tags], foundBy: [...one.foundBy] }))
    return { count: blocks.length, blocks, mode, ...defined({ model, hint }) }
  },
})
