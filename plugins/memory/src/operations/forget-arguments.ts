import { BadRequest, closed, type Infer, Type } from '@gateway/sdk'
import type { ForgetFilter } from '../api.ts'
import { isoTime } from '../rules/iso-time.ts'
import { CHUNK_SOURCES, repoArgument, tagsArgument } from '../schema.ts'
import { queryArgument } from './search-arguments.ts'

export const forgetInput = Type.Object(
  {
    query: Type.Optional({ ...queryArgument, description: 'Chunks that have all of its words.' }),
    tags: Type.Optional({ ...tagsArgument, description: 'Chunks with all of these.' }),
    repo: Type.Optional(repoArgument),
    source: Type.Optional(Type.Enum(CHUNK_SOURCES, { type: 'string' })),
    before: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'ISO 8601: what occurred, or else was stored, before then.' }),
    ),
    preview: Type.Optional(Type.Boolean({ description: 'true: counts them and forgets nothing.' })),
  },
  closed,
)
export const forgetOutput = Type.Object({ forgotten: Type.Integer({ description: 'With preview: those that would be.' }) }, closed)

/** Checks the conditions: at least one, and `before` a time. */
export function forgetFilter({ query, tags, repo, source, before: said }: Infer<typeof forgetInput>): ForgetFilter {
  const isEmpty = !query?.trim() && !tags?.length && !repo && !source && said === undefined
  if (isEmpty)
    throw BadRequest({ field: 'query', message: 'Expected at least one of `query`, `tags`, `repo`, `source` and `before`; got none.' })
  const before = said === undefined ? undefined : isoTime(said)
  if (said !== undefined && before === undefined)
    throw BadRequest({ field: 'before', message: `\`before\`: expected a time in ISO 8601; got ${JSON.stringify(said)}.` })
  return { query: query?.trim() ? query : undefined, tags, repo, source, before }
}
