import { closed, type Infer, Type } from '@gateway/sdk'

export const KINDS = ['diff', 'build-log', 'test-report', 'other'] as const

/** Facts about an artifact, without its content. */
export const artifactSchema = Type.Object(
  {
    artifactId: Type.String({ description: 'Prefix art-; rises from artifact to artifact.' }),
    taskId: Type.String(),
    repo: Type.Optional(Type.String()),
    kind: Type.Optional(Type.Enum(KINDS)),
    filename: Type.Optional(Type.String()),
    contentType: Type.String(),
    bytes: Type.Integer({ description: 'Of the content that is kept.' }),
    compressedBytes: Type.Integer(),
    truncated: Type.Boolean({ description: 'Whether the end of the content was cut off.' }),
    sha256: Type.String({ description: 'Of the content that is kept.' }),
    createdAt: Type.String(),
  },
  closed,
)
export type Artifact = Infer<typeof artifactSchema>

/** The content, compressed with gzip, as base64. */
export const contentSchema = Type.Object({ artifactId: Type.String(), gzip: Type.String() }, closed)
