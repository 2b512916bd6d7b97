import { memory } from '@gateway/plugin-memory/api'
import { ManagedReposInvalid, repoResolver } from '@gateway/plugin-repos/api'
import { atomically, closed, defineTool, optional, resourceUpdated, Type, withIdempotencyKey } from '@gateway/sdk'
import { dueMirrors, handoffs, heads } from '../collections.ts'
import { writeHandoff } from '../operations/handoffs.ts'
import { Handoff, handoffFields, repo } from '../schema.ts'

export const handoffWrite = defineTool({
  name: 'handoff_write',
  description:
    'Hand work over to the next session in a repo: adds an entry, and copies it into the handoff file if the repo has a folder on this machine. Returns {handoff, entries, mirrored, reason?}.',
  capability: 'work',
  effect: 'write',
  listing: 'core',
  input: withIdempotencyKey(Type.Object({ repo, ...handoffFields }, closed)),
  output: Type.Object(
    {
      handoff: Handoff,
      entries: Type.Integer({ description: 'Number of entries of the repo, this one included.' }),
      mirrored: Type.Boolean({ description: 'The handoff file contains it.' }),
      reason: Type.Optional(Type.String({ description: 'Reason the handoff file does not contain it, or not yet.' })),
    },
    closed,
  ),
  errors: [ManagedReposInvalid],
  uses: { handoffs, heads, dueMirrors, resolver: repoResolver, atomically, updated: resourceUpdated, memory: optional(memory) },
  handle: (draft, uses, ctx) => writeHandoff(draft, uses, ctx),
})
