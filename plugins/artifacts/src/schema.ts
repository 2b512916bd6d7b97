import { closed, type Infer, Type } from '@gateway/sdk'

export const KINDS = ['diff', 'build-log', 'test-report', 'other'] as const

export const artifactSchema = Type.Object(
  {
    artifactId: Type.String({ description: 'Prefix art-; ids rise in order of creation.' }),
    taskId: Type.String(),
    repo: Type.Optional(Type.String()),
    kind: Type.Optional(Type.Enum(KINDS)),
    filename: Type.Optional(Type.String()),
    contentType: Type.String(),
    bytes: Type.Integer({ description: 'Size of the stored content.' }),
    compressedBytes: Type.Integer(),
    truncated: Type.Boolean({ description: 'The end of the content was cut off.' }),
    sha256: Type.String({ description: 'Hash of the stored content.' }),
    createdAt: Type.String(),
  },
  closed,
)
export type Artifact = Infer<typeof artifactSchema>

/** The content, compressed with gzip, as base64. */
export const contentSchema = Type.Object({ artifactId: Type.String(), gzip: Type.String() }, closed)
