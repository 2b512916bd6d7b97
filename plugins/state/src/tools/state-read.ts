import { ManagedReposInvalid, repoResolver } from '@gateway/plugin-repos/api'
import { closed, defineTool, NotFound, Type } from '@gateway/sdk'
import { documents } from '../collections.ts'
import { FileUnusable } from '../errors.ts'
import { documentOf } from '../operations/document-of.ts'
import { FILES, hint, repo } from '../schema.ts'

export const stateRead = defineTool({
  name: 'state_read',
  description: 'Read the state or handoff file of a repo; without repo, of the master repo. Returns {repo, file, content, updatedAt}.',
  capability: 'read',
  effect: 'read',
  listing: 'core',
  input: Type.Object({ repo: Type.Optional(repo), file: Type.Optional(Type.Enum(FILES, { default: 'state' })) }, closed),
  output: Type.Object(
    { repo: Type.String(), file: Type.Enum(FILES), content: Type.String({ description: 'Raw Markdown.' }), updatedAt: Type.String(), hint },
    closed,
  ),
  errors: [ManagedReposInvalid, FileUnusable],
  uses: { documents, resolver: repoResolver },
  async handle({ repo, file = 'state' }, uses, ctx) {
    const { name, hint, document } = await documentOf({ repo, file }, uses, ctx, { stores: ctx.holds('work') })
    const found = await document.read()
    if (!found) throw NotFound({ what: `${file} file`, id: name })
    return { repo: name, file, ...found, ...(hint !== undefined && { hint }) }
  },
})
