import { closed, defined, defineRoute, Type } from '@gateway/sdk'
import { records } from '../collections.ts'
import { BUNDLE_VERSION, fileOf } from '../rules/bundle.ts'
import { MEMORY } from '../rules/corpus-words.ts'
import { labelsOf } from '../rules/labels.ts'
import { repoArgument, SOURCES } from '../schema.ts'

const PAGE = 200
/** Limit of one answer, so that it can be imported in one request; `manifest.nextCursor` gives the rest. */
const MAX_CHARACTERS = 4_000_000

export const exportRoute = defineRoute({
  name: 'memory.export',
  description:
    'Export chunks as files, without vectors: all, of a repo, or of a source. Returns {manifest, files}, with manifest.nextCursor if there are more.',
  capability: 'read',
  effect: 'read',
  rest: 'GET /api/memory/export',
  input: Type.Object(
    {
      repo: Type.Optional(repoArgument),
      source: Type.Optional(Type.Enum(SOURCES, { type: 'string' })),
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000, description: '`manifest.nextCursor` of the previous answer.' })),
    },
    closed,
  ),
  output: Type.Object(
    {
      manifest: Type.Object(
        {
          version: Type.Integer(),
          exportedAt: Type.String(),
          count: Type.Integer(),
          repo: Type.Optional(Type.String()),
          source: Type.Optional(Type.String()),
          nextCursor: Type.Optional(Type.String()),
        },
        closed,
      ),
      files: Type.Array(Type.Object({ path: Type.String(), content: Type.String() }, closed)),
    },
    closed,
  ),
  uses: { records },
  async handle({ repo, source, cursor: from }, { records }, ctx) {
    const own = { ...defined({ repo, source }) }
    const labels = labelsOf({ corpus: MEMORY, repo }).map((label) => ({ labels: { has: label } }))
    const where = {
      corpus: MEMORY,
      ...defined({ source }),
      and: source === undefined ? [...labels, { source: { ne: 'brain' as const } }] : labels,
    }
    const files: { path: string; content: string }[] = []
    let cursor = from
    for (let characters = 0; characters < MAX_CHARACTERS; ) {
      ctx.signal.throwIfAborted()
      const page = await records.find({ where, limit: PAGE, ...defined({ cursor }) })
      for (const record of page.items) {
        const file = fileOf(record)
        characters += file.content.length
        files.push(file)
      }
      cursor = page.nextCursor
      if (cursor === undefined) break
    }
    const manifest = { version: BUNDLE_VERSION, exportedAt: ctx.now().toISOString(), count: files.length, ...own }
    return { manifest: { ...manifest, ...defined({ nextCursor: cursor }) }, files }
  },
})
