import { contentSchema, namespaceSchema, slugSchema, topicSchema } from '@gateway/plugin-brain/api'
import { closed, type Infer, Type } from '@gateway/sdk'

export const packId = Type.String({
  pattern: '^[a-z0-9][a-z0-9._-]{0,49}$',
  rule: { must: 'have 1 to 50 small letters, digits, ., _ and -, the first a letter or digit' },
  description: 'A slug.',
})
/** Leading zeros are refused: 1.0.0 and 01.0.0 would be two names of one version. */
const NUMBER = '(?:0|[1-9][0-9]{0,8})'
export const versionSchema = Type.String({ pattern: `^${NUMBER}\\.${NUMBER}\\.${NUMBER}$`, description: 'X.Y.Z' })

export const MAX_ATOMS = 200
/** Maximum size of the content of all atoms of a pack, in bytes. */
export const MAX_BYTES = 1_024 * 1_024

export const PackAtom = Type.Object(
  {
    kind: Type.Enum(['session', 'handoff', 'memory']),
    repo: Type.Optional(namespaceSchema),
    slug: slugSchema,
    topic: Type.Optional(topicSchema),
    content: contentSchema,
  },
  { ...closed, description: '`repo` is required for session and handoff, and omitted for memory, which belongs to no repo.' },
)
export type PackAtom = Infer<typeof PackAtom>

/** A version without its atoms. */
export const Version = Type.Object(
  {
    id: packId,
    version: versionSchema,
    title: Type.String(),
    description: Type.String(),
    atomCount: Type.Integer(),
    publishedAt: Type.String(),
  },
  closed,
)
export type Version = Infer<typeof Version>
