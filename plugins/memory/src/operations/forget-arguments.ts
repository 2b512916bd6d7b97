import { BadRequest, closed, type Infer, Type } from '@gateway/sdk'
import type { ForgetFilter } from '../api.ts'
import { isoTime } from '../rules/iso-time.ts'
import { CHUNK_SOURCES, repoArgument, tagsArgument } from '../schema.ts'
import { queryArgument } from './search-arguments.ts'

export const forgetInput = Type.Object(
  {
    query: Type.Optional({
      ...queryArgument,
      description:
        'Chunks that contain all of its words. Without a repo, it alone, or the tag session:message, also erases messages of conversations.',
    }),
    tags: Type.Optional({ ...tagsArgument, description: 'Chunks that have all of these tags.' }),
    repo: Type.Optional(repoArgument),
    source: Type.Optional(Type.Enum(CHUNK_SOURCES, { type: 'string' })),
    before: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'ISO 8601: chunks that occurred, or else were stored, before this time.' }),
    ),
    preview: Type.Optional(Type.Boolean({ description: 'true: count only, forget nothing.' })),
  },
  closed,
)
export const forgetOutput = Type.Object(
  {
    forgotten: Type.Integer({ description: 'Number of chunks; with preview, the number that would be forgotten.' }),
    truncated: Type.Optional(Type.Boolean({ description: 'The preview stopped counting: more would be forgotten, or as many.' })),
  },
  closed,
)

/** Checks the conditions: at least one, and `before` a time. */
export function forgetFilter({ query, tags, repo, source, before: said }: Infer<typeof forgetInput>): ForgetFilter {
  const isEmpty = !query?.trim() && !tags?.length && !repo && !source && said === undefined
  if (isEmpty) throw BadRequest({ field: 'query', message: '`query`, `tags`, `repo`, `source` or `before` is required; got none.' })
  const before = said === undefined ? undefined : isoTime(said)
  if (said !== undefined && before === undefined)
    throw BadRequest({ field: 'before', message: `\`before\` must be a time in ISO 8601; got ${JSON.stringify(said)}.` })
  return { query: query?.trim() ? query : undefined, tags, repo, source, before }
}
