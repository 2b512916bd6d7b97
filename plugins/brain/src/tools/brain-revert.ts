import { closed, defineTool, Type } from '@gateway/sdk'
import { BrainQuotaExceeded } from '../api.ts'
import { RevertConflict } from '../errors.ts'
import { brainUses } from '../operations/refs.ts'
import { revertCommit } from '../operations/revert.ts'

export const brainRevert = defineTool({
  name: 'brain_revert',
  description:
    'Revert a commit of the current branch by an inverse commit; for a merge, what it brought to its first parent. A later change of the same places is a conflict and changes nothing. Returns {reverted, branch, commit?, files}; no commit when it was reverted already.',
  capability: 'work',
  effect: 'write',
  subject: ['sha'],
  input: Type.Object({ sha: Type.String({ minLength: 7, maxLength: 40, description: 'Brain commit, at least 7 digits.' }) }, closed),
  output: Type.Object(
    { reverted: Type.String(), branch: Type.String(), commit: Type.Optional(Type.String()), files: Type.Array(Type.String()) },
    closed,
  ),
  errors: [RevertConflict, BrainQuotaExceeded],
  uses: brainUses,
  async handle({ sha }, refs, ctx) {
    const { files, ...done } = await revertCommit(refs, ctx, sha)
    return { ...done, files: files.slice(0, 1_000) }
  },
})
