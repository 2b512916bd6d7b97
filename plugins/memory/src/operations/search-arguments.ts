import { BadRequest, closed, defined, parseTime, Type } from '@gateway/sdk'
import type { Found } from '../api.ts'
import { shown } from '../rules/chunk.ts'
import { CHUNK_SOURCES, type Chunk, chunkFields, MODEL_STATES, repoArgument, tagsArgument } from '../schema.ts'

export const queryArgument = Type.String({ maxLength: 4_000, description: 'The question, in your own words.' })

/** The arguments of `memory_search`, over MCP and REST alike. */
export const searchArguments = {
  query: Type.Optional(queryArgument),
  repo: Type.Optional(repoArgument),
  source: Type.Optional(Type.Enum(CHUNK_SOURCES, { type: 'string' })),
  tags: Type.Optional({ ...tagsArgument, description: 'Only chunks that have all of these tags.' }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Number of chunks.' }),
}

const hit = Type.Object(
  {
    ...chunkFields,
    truncated: Type.Optional(Type.Boolean({ description: 'The end of the content was left out.' })),
    score: Type.Number({ description: 'Higher is nearer, within one answer.' }),
    foundBy: Type.Array(Type.Enum(['words', 'vectors', 'exact'], { type: 'string' })),
  },
  closed,
)
export const modelField = Type.Optional(
  Type.Enum(MODEL_STATES, {
    type: 'string',
    description:
      'While lexical: `loading` when a later search has vectors, `absent` when the model is not installed, `off` when it is disabled, `ready` when the texts have no vectors yet.',
  }),
)
export const modeFields = {
  mode: Type.Enum(['lexical', 'hybrid'], { type: 'string', description: '`hybrid` when vectors were used.' }),
  model: modelField,
  hint: Type.Optional(Type.String({ description: 'While lexical: how to add vectors.' })),
}
export const searchOutput = Type.Object({ count: Type.Integer(), results: Type.Array(hit), ...modeFields }, closed)

export function searchAnswer({ mode, model, hint, hits }: Found<Chunk>) {
  const results = shown(hits).map((one) => ({ ...one, foundBy: [...one.foundBy] }))
  return { count: results.length, results, mode, ...defined({ model, hint }) }
}

export function requireSubject(query: string | undefined, tags: readonly string[] | undefined): void {
  if ((query === undefined || query.trim() === '') && (tags === undefined || tags.length === 0))
    throw BadRequest({ message: '`query`, or a nonempty `tags`, is required; got neither.', field: 'query' })
}

/** Checks a day given as an argument: 30 February does not exist, and month 13 cannot be parsed as a time at all. */
export function checkDay(day: string | undefined, field: string): void {
  if (day === undefined || (/^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(parseTime(day)))) return
  throw BadRequest({ message: `\`${field}\` must be a date, YYYY-MM-DD; got ${JSON.stringify(day)}.`, field })
}
