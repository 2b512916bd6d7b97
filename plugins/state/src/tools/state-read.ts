import { ManagedReposInvalid, repoFolders } from '@gateway/plugin-repos/api'
import { closed, defineTool, NotFound, Type } from '@gateway/sdk'
import { documents } from '../collections.ts'
import { FileUnusable } from '../errors.ts'
import { documentOf } from '../operations/document-of.ts'
import { FILES, repo } from '../schema.ts'

export const stateRead = defineTool({
  name: 'state_read',
  description:
    'Read the state file or the handoff file of a repo as it is; without repo, that of the master repo. Returns {repo, file, content, updatedAt}.',
  capability: 'read',
  effect: 'read',
  listing: 'core',
  input: Type.Object({ repo: Type.Optional(repo), file: Type.Optional(Type.Enum(FILES, { default: 'state' })) }, closed),
  output: Type.Object(
    { repo: Type.String(), file: Type.Enum(FILES), content: Type.String({ description: 'Raw Markdown.' }), updatedAt: Type.String() },
    closed,
  ),
  errors: [ManagedReposInvalid, FileUnusable],
  uses: { documents, folders: repoFolders },
  async handle({ repo, file = 'state' }, uses, ctx) {
    const known = await documentOf({ repo, file }, uses, ctx)
    const found = await known.document.read()
    if (!found) throw NotFound({ what: `${file} file`, id: known.name })
    return { repo: known.name, file, ...found }
  },
})
