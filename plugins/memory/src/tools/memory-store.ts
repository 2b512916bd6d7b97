import { closed, defineTool, nonBlankText, Type, withIdempotencyKey } from '@gateway/sdk'
import { storeChunks } from '../operations/store-chunks.ts'
import { memoryUses } from '../operations/uses.ts'
import { MAX_CONTENT, repoArgument, SOURCES, tagsArgument } from '../schema.ts'

export const memoryStore = defineTool({
  name: 'memory_store',
  description:
    'Remember one piece of text: a decision, a fix, a pattern, a finding. The same content is kept once, whoever stores it; secrets in it are replaced. Returns {chunkId, stored}, stored false when it was known before.',
  capability: 'work',
  effect: 'write',
  idempotent: true,
  listing: 'core',
  input: withIdempotencyKey(
    Type.Object(
      {
        content: nonBlankText(MAX_CONTENT, { description: 'The text, in your words or as Markdown.' }),
        repo: Type.Optional(repoArgument),
        source: Type.Optional(Type.Enum(SOURCES, { type: 'string', description: 'What it is; `feature` unless given.' })),
        tags: Type.Optional(tagsArgument),
        sessionId: Type.Optional(
          Type.String({ minLength: 1, maxLength: 200, description: 'Chunks of one session are found by each other’s words too.' }),
        ),
      },
      closed,
    ),
  ),
  output: Type.Object({ chunkId: Type.String(), stored: Type.Boolean() }, closed),
  uses: memoryUses,
  async handle(draft, uses, ctx) {
    const [chunk] = await storeChunks([draft], uses, ctx)
    return chunk as { chunkId: string; stored: boolean }
  },
})
