import { closed, defineTool, Type } from '@gateway/sdk'
import { BrainQuotaExceeded } from '../api.ts'
import { RevertConflict } from '../errors.ts'
import { brainUses } from '../operations/refs.ts'
import { revertCommit } from '../operations/revert.ts'

export const brainRevert = defineTool({
  name: 'brain_revert',
  description:
    'Take a commit of the current branch back by an inverse commit; of a merge what it brought to its first parent. What was changed since is a conflict and changes nothing. Returns {reverted, branch, commit?, files}; no commit when it was taken back already.',
  capability: 'work',
  effect: 'write',
  input: Type.Object({ sha: Type.String({ minLength: 7, maxLength: 40, description: 'The brain commit, at least 7 digits.' }) }, closed),
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
