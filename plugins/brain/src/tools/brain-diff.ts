import { closed, defineTool, NotFound, Type } from '@gateway/sdk'
import { brainUses } from '../operations/refs.ts'
import { resolveRef } from '../operations/resolve.ts'
import { view } from '../operations/view.ts'
import { checkAskedPath } from '../rules/asked-path.ts'

const MAX_PATCH = 20_000
const MAX_FILES = 1_000
const ref = (fallback: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, default: fallback, description: 'HEAD, a branch, or a commit.' }))

export const brainDiff = defineTool({
  name: 'brain_diff',
  description:
    'Show what differs between two states of the brain, by default main and the current branch. Returns the changed files and the short statistics, and with patch the text of the changes, cut at 20,000 characters.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      from: ref('main'),
      to: ref('HEAD'),
      path: Type.Optional(Type.String({ minLength: 1, maxLength: 600 })),
      patch: Type.Optional(Type.Boolean({ default: false, description: 'Include the text of the changes.' })),
    },
    closed,
  ),
  output: Type.Object(
    {
      from: Type.String(),
      to: Type.String(),
      files: Type.Array(
        Type.Object({ status: Type.String(), path: Type.String(), insertions: Type.Integer(), deletions: Type.Integer() }, closed),
      ),
      shortstat: Type.Object({ filesChanged: Type.Integer(), insertions: Type.Integer(), deletions: Type.Integer() }, closed),
      filesTruncated: Type.Optional(Type.Boolean()),
      patch: Type.Optional(Type.String()),
      patchTruncated: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  uses: brainUses,
  check: ({ path }) => checkAskedPath(path),
  async handle({ from = 'main', to = 'HEAD', path, patch = false }, refs, ctx) {
    const seen = await view(refs, ctx)
    if (!seen) throw NotFound({ what: 'brain commit', id: from })
    const range = { from: await resolveRef(seen, from, 'from'), to: await resolveRef(seen, to, 'to') }
    const diff = await seen.repo.diff({ ...range, path, patchCharacters: patch ? MAX_PATCH : 0, maxFiles: MAX_FILES })
    return {
      ...range,
      files: diff.files.map((file) => ({ ...file })),
      shortstat: { filesChanged: diff.filesChanged, insertions: diff.insertions, deletions: diff.deletions },
      ...(diff.filesChanged > diff.files.length && { filesTruncated: true }),
      ...(patch && { patch: diff.patch ?? '', patchTruncated: diff.patchTruncated ?? false }),
    }
  },
})
