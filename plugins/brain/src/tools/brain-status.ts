import { basename } from 'node:path'
import { closed, defineTool, Type } from '@gateway/sdk'
import { openBranches } from '../operations/branches.ts'
import { atomCounts, namespacesOf } from '../operations/namespaces.ts'
import { brainUses } from '../operations/refs.ts'
import { pendingStashes } from '../operations/stash.ts'
import { view } from '../operations/view.ts'
import { NamespaceView } from '../schema.ts'

export const brainStatus = defineTool({
  name: 'brain_status',
  description:
    'Show where the brain is and its state. Returns its location, the current branch, namespaces, atom counts, open branches, pending stashes and the last commit; {exists: false} before the first commit.',
  capability: 'read',
  effect: 'read',
  input: Type.Object({}, closed),
  output: Type.Object(
    {
      exists: Type.Boolean(),
      location: Type.String({ description: 'Its repository, relative to the data folder.' }),
      branch: Type.String(),
      namespaces: Type.Array(NamespaceView),
      atoms: Type.Object({ total: Type.Integer(), session: Type.Integer(), handoff: Type.Integer(), memory: Type.Integer() }, closed),
      openBranches: Type.Array(Type.Object({ branch: Type.String(), tip: Type.String() }, closed)),
      stashes: Type.Array(Type.Object({ slug: Type.String(), at: Type.String(), repo: Type.Optional(Type.String()) }, closed)),
      lastCommit: Type.Optional(Type.Object({ sha: Type.String(), at: Type.String(), subject: Type.String() }, closed)),
    },
    closed,
  ),
  uses: brainUses,
  async handle(_, refs, ctx) {
    const repo = refs.git.brain(ctx.tenantId)
    // The path begins below the data folder, whose location is the operator's business.
    const location = `brains/${basename(repo.folder)}`
    const seen = await view(refs, ctx)
    const none = { total: 0, session: 0, handoff: 0, memory: 0 }
    if (!seen) return { exists: false, location, branch: 'main', namespaces: [], atoms: none, openBranches: [], stashes: [] }
    const [open, namespaces, atoms, stashes, [last]] = [
      await openBranches(refs, ctx, seen),
      await namespacesOf(refs, seen),
      await atomCounts(refs),
      await pendingStashes(refs, seen, 100),
      await seen.repo.log({ to: seen.head, limit: 1 }),
    ]
    return {
      exists: true,
      location,
      branch: seen.current,
      namespaces: [...namespaces],
      atoms,
      openBranches: [...open],
      stashes: stashes.map(({ slug, at, namespace }) => ({ slug, at, ...(namespace !== '' && { repo: namespace }) })),
      ...(last && { lastCommit: { sha: last.sha, at: last.at, subject: last.subject } }),
    }
  },
})
