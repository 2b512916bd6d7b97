import { BadRequest, closed, defineRoute, LARGE_BODY_BYTES, LARGE_BODY_VALUES, Type } from '@gateway/sdk'
import { recordChunks } from '../operations/store-chunks.ts'
import { memoryUses } from '../operations/uses.ts'
import { isoTime } from '../rules/iso-time.ts'
import { cutText } from '../rules/markdown.ts'
import { repoArgument } from '../schema.ts'

const MAX_MESSAGES = 500
const CHUNKS_PER_COMMIT = 100
/** Size of the pieces of a long message. */
const PIECE = 4_000

export const transcriptsRoute = defineRoute({
  name: 'memory.transcripts',
  description:
    'Store a part of the transcript of an agent host’s session: its messages in order, secrets replaced. A part that is sent again adds nothing, and nothing that was forgotten. Returns {messages, stored}.',
  capability: 'work',
  effect: 'write',
  rest: 'POST /api/memory/transcripts',
  bodyLimitBytes: LARGE_BODY_BYTES,
  bodyLimitValues: LARGE_BODY_VALUES,
  input: Type.Object(
    {
      sessionId: Type.String({ minLength: 1, maxLength: 200 }),
      repo: Type.Optional(repoArgument),
      host: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Program, such as claude-code.' })),
      messages: Type.Array(
        Type.Object(
          {
            role: Type.Enum(['user', 'assistant', 'tool'], { type: 'string', description: 'tool: text from outside.' }),
            text: Type.String({ maxLength: 1_000_000 }),
            at: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'ISO 8601.' })),
          },
          closed,
        ),
        { minItems: 1, maxItems: MAX_MESSAGES, description: 'Messages in order; send a long session in several parts.' },
      ),
    },
    closed,
  ),
  output: Type.Object({ messages: Type.Integer(), stored: Type.Integer({ description: 'Number of new chunks.' }) }, closed),
  uses: memoryUses,
  async handle({ sessionId, repo, host, messages }, uses, ctx) {
    const drafts = messages.flatMap(({ role, text, at }, n) => {
      const occurredAt = at === undefined ? undefined : isoTime(at)
      if (at !== undefined && occurredAt === undefined)
        throw BadRequest({
          field: `messages[${n}].at`,
          message: `\`messages[${n}].at\` must be a time in ISO 8601; got ${JSON.stringify(at)}.`,
        })
      const tags = [`role:${role}`, ...(host === undefined ? [] : [`host:${host}`])]
      const outside = role === 'tool' ? { origin: 'tool' } : {}
      return cutText(text, PIECE, 0).map((content) => ({
        content,
        repo,
        sessionId,
        source: 'archive' as const,
        tags,
        occurredAt,
        ...outside,
      }))
    })
    let stored = 0
    for (let from = 0; from < drafts.length; from += CHUNKS_PER_COMMIT) {
      ctx.signal.throwIfAborted()
      stored += (await recordChunks(drafts.slice(from, from + CHUNKS_PER_COMMIT), uses, ctx)).filter((one) => one.stored).length
    }
    return { messages: messages.length, stored }
  },
})
