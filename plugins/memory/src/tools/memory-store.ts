import { BadRequest, closed, defineTool, nonBlankText, Type, withIdempotencyKey } from '@gateway/sdk'
import { storeChunks } from '../operations/store-chunks.ts'
import { memoryUses } from '../operations/uses.ts'
import { isoTime } from '../rules/iso-time.ts'
import { MAX_CONTENT, repoArgument, SOURCES, tagsArgument } from '../schema.ts'

const time = Type.String({ minLength: 1, maxLength: 40 })

export const memoryStore = defineTool({
  name: 'memory_store',
  description:
    'Remember a text: a decision, fix, pattern or finding. Equal content is kept once; secrets in it are replaced. Returns {chunkId, stored}, stored false if it was known.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  listing: 'core',
  input: withIdempotencyKey(
    Type.Object(
      {
        content: nonBlankText(MAX_CONTENT),
        repo: Type.Optional(repoArgument),
        source: Type.Optional(Type.Enum(SOURCES, { type: 'string', description: 'Default: `feature`.' })),
        tags: Type.Optional(tagsArgument),
        sessionId: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description: 'Groups chunks of one session, which then match each other’s words too.',
          }),
        ),
        occurredAt: Type.Optional({ ...time, description: 'ISO 8601: when it happened or began to hold. Default: now.' }),
        validUntil: Type.Optional({ ...time, description: 'ISO 8601: later it is marked expired and ranks last.' }),
        supersedes: Type.Optional(
          Type.String({ minLength: 1, maxLength: 500, description: 'chunkId that it replaces and marks superseded.' }),
        ),
      },
      closed,
    ),
  ),
  output: Type.Object({ chunkId: Type.String(), stored: Type.Boolean() }, closed),
  uses: memoryUses,
  check: (args) => checkEnd(timesOf(args), args.validUntil),
  async handle(args, uses, ctx) {
    const [chunk] = await storeChunks([{ ...args, ...timesOf(args) }], uses, ctx)
    return chunk as { chunkId: string; stored: boolean }
  },
})

interface Times {
  readonly occurredAt?: string | undefined
  readonly validUntil?: string | undefined
}

const timesOf = ({ occurredAt, validUntil }: Times): Times => ({
  occurredAt: timeOf('occurredAt', occurredAt),
  validUntil: timeOf('validUntil', validUntil),
})

const DAY = /^\d{4}-\d{2}-\d{2}$/

function checkEnd({ occurredAt, validUntil }: Times, said: string | undefined): void {
  if (occurredAt === undefined || validUntil === undefined) return
  // The end of a fact may be the day on which it began.
  const began = said !== undefined && DAY.test(said.trim()) ? occurredAt.slice(0, 10) : occurredAt
  if (began <= validUntil) return
  throw BadRequest({ field: 'validUntil', message: `\`validUntil\` must not be before \`occurredAt\`, ${occurredAt}; got ${validUntil}.` })
}

function timeOf(field: string, said: string | undefined): string | undefined {
  const time = said === undefined ? undefined : isoTime(said)
  if (said !== undefined && time === undefined)
    throw BadRequest({ field, message: `\`${field}\` must be a time in ISO 8601; got ${JSON.stringify(said)}.` })
  return time
}
