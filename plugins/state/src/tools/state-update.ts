import { memory } from '@gateway/plugin-memory/api'
import { ManagedReposInvalid, repoResolver } from '@gateway/plugin-repos/api'
import { BadRequest, Conflict, checkUnchanged, closed, defineTool, ifUpdatedAt, optional, Type } from '@gateway/sdk'
import { documents } from '../collections.ts'
import { FileUnusable } from '../errors.ts'
import { documentOf } from '../operations/document-of.ts'
import { type Changed, changeSection, type Fault, faultOf } from '../rules/change-section.ts'
import { FILE_NAMES } from '../rules/file-names.ts'
import { FILES, hint, MAX_CONTENT, repo } from '../schema.ts'

export const stateUpdate = defineTool({
  name: 'state_update',
  description:
    'Replace a section of the state or handoff file of a repo, or append to it; a section reaches to the next heading of its level or above. A missing heading is added at the end, where content without heading goes. Returns {repo, file, bytes, updatedAt}.',
  capability: 'work',
  effect: 'destructive',
  listing: 'core',
  input: Type.Object(
    {
      repo: Type.Optional(repo),
      file: Type.Optional(Type.Enum(FILES, { default: 'state' })),
      heading: Type.Optional(
        Type.String({ minLength: 3, maxLength: 500, description: 'Whole line, such as `## Next`; the first of equal ones.' }),
      ),
      content: Type.String({ maxLength: MAX_CONTENT, description: 'Section without its heading.' }),
      mode: Type.Optional(Type.Enum(['replace', 'append'], { default: 'replace' })),
      ifUpdatedAt,
    },
    closed,
  ),
  output: Type.Object({ repo: Type.String(), file: Type.Enum(FILES), bytes: Type.Integer(), updatedAt: Type.String(), hint }, closed),
  errors: [ManagedReposInvalid, FileUnusable],
  uses: { documents, resolver: repoResolver, memory: optional(memory) },
  check(change) {
    const fault = faultOf(change)
    if (fault) refuse(fault)
  },
  async handle({ repo, file = 'state', heading, content, mode = 'replace', ifUpdatedAt: expected }, { memory, ...uses }, ctx) {
    const { name, hint, document } = await documentOf({ repo, file }, uses, ctx, { stores: true })
    const origin = `state:${name}/${FILE_NAMES[file]}`
    // A kill between the file and its index leaves this note, and the index follows.
    await memory?.originChanges(origin)
    const after = await document.change((before, updatedAt) => {
      checkUnchanged(updatedAt === undefined ? undefined : { updatedAt }, expected)
      return documentAfter(changeSection(before, { heading, content, mode }))
    })
    await memory?.refreshOrigin(origin)
    return {
      repo: name,
      file,
      bytes: Buffer.byteLength(after.content),
      updatedAt: after.updatedAt,
      ...(hint !== undefined && { hint }),
    }
  },
})

function documentAfter(changed: Changed): string {
  if ('document' in changed) return changed.document
  return refuse(changed)
}

function refuse({ of, fault }: Fault): never {
  if (of === 'document') throw Conflict({ message: `The file cannot be changed at this place: ${fault}. Repair it by hand.` })
  throw BadRequest({ field: of, message: `\`${of}\` ${fault}.` })
}
