import { closed, defineTool, rowLimit, Type } from '@gateway/sdk'
import { brainUses } from '../operations/refs.ts'
import { resolveRef } from '../operations/resolve.ts'
import { view } from '../operations/view.ts'
import { checkAskedPath } from '../rules/asked-path.ts'

const ROWS = rowLimit(20, 200, 'Commits')

export const brainLog = defineTool({
  name: 'brain_log',
  description:
    'The commits of the brain, newest first, of a branch or back from a commit, and of one path if you name it. Returns commits with sha, date and subject.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      ref: Type.Optional(Type.String({ minLength: 1, maxLength: 200, default: 'HEAD', description: 'HEAD, a branch, or a commit.' })),
      path: Type.Optional(Type.String({ minLength: 1, maxLength: 600 })),
      limit: ROWS.argument,
    },
    closed,
  ),
  output: Type.Object(
    { commits: Type.Array(Type.Object({ sha: Type.String(), date: Type.String(), subject: Type.String() }, closed)) },
    closed,
  ),
  uses: brainUses,
  check: ({ path }) => checkAskedPath(path),
  async handle({ ref = 'HEAD', path, limit }, refs, ctx) {
    const seen = await view(refs, ctx)
    if (!seen) return { commits: [] }
    const lines = await seen.repo.log({ to: await resolveRef(seen, ref, 'ref'), path, limit: ROWS.of(limit) })
    return { commits: lines.map(({ sha, at, subject }) => ({ sha, date: at, subject })) }
  },
})
