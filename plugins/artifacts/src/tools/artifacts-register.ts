import { atomically, closed, DAY_MS, defineTool, gatewayInfo, LARGE_BODY_BYTES, repoText, Type, withIdempotencyKey } from '@gateway/sdk'
import { redactStartInTurns } from '@gateway/sdk/redact'
import { takePlaces } from '@gateway/sdk/ring'
import { artifacts, contents, rings } from '../collections.ts'
import { config } from '../config.ts'
import { pack } from '../rules/pack.ts'
import { type Artifact, artifactSchema, KINDS } from '../schema.ts'

/** Bytes of an answer for everything but the content of an artifact. */
const FRAME_BYTES = 16_384

export const artifactsRegister = defineTool({
  name: 'artifacts_register',
  description:
    'Keep a file that a task made: a diff, a build log, a test report. Secrets in its content are replaced, what is too long is cut, and it is compressed. Returns the artifact’s metadata.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/artifacts',
  status: 201,
  bodyLimitBytes: LARGE_BODY_BYTES,
  repairsText: true,
  input: withIdempotencyKey(
    Type.Object(
      {
        taskId: Type.String({ minLength: 1, maxLength: 200, description: 'Task that made it.' }),
        repo: Type.Optional(repoText(200)),
        kind: Type.Optional(Type.Enum(KINDS)),
        filename: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, verbatim: true })),
        contentType: Type.Optional(Type.String({ minLength: 1, maxLength: 200, default: 'text/plain' })),
        content: Type.String({ description: 'Text of the file.' }),
      },
      closed,
    ),
  ),
  output: Type.Object({ artifact: artifactSchema }, closed),
  uses: { artifacts, contents, rings, config, atomically, gateway: gatewayInfo },
  async handle({ content, contentType = 'text/plain', ...named }, { artifacts, contents, rings, config, atomically, gateway }) {
    const { maxContentBytes } = config
    const text = await redactStartInTurns(content, maxContentBytes)
    const { gzip, ...measures } = await pack(text, maxContentBytes, gateway.answerLimitBytes - FRAME_BYTES)
    return atomically(async (tx) => {
      const past = new Date(tx.now.getTime() - config.retentionDays * DAY_MS).toISOString()
      const isPast = (one: Artifact): boolean => one.createdAt < past
      const ring = {
        states: rings,
        documents: artifacts,
        key: 'artifactId',
        prefix: 'art-',
        max: config.maxArtifacts,
        isPast,
        also: contents,
      } as const
      const [artifactId = ''] = await takePlaces(ring, 1, tx)
      await contents.in(tx).insert({ artifactId, gzip })
      const artifact = { artifactId, ...named, contentType, ...measures, createdAt: tx.now.toISOString() }
      return { artifact: await artifacts.in(tx).insert(artifact) }
    })
  },
})
