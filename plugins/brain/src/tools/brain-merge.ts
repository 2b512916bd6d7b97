import { closed, defineTool, Type } from '@gateway/sdk'
import { BrainQuotaExceeded } from '../api.ts'
import { MergeConflict } from '../errors.ts'
import { activationUses, recordStep } from '../operations/activation.ts'
import { mergeBranch } from '../operations/merge.ts'
import { brainUses } from '../operations/refs.ts'
import { isSession } from '../rules/names.ts'

export const brainMerge = defineTool({
  name: 'brain_merge',
  description:
    'Merge a branch into main, always by a merge commit: a session branch is then deleted, an idea branch stays, briefs are recompiled and each touched namespace gets its lastAnchor. A conflict changes nothing. Returns {branch, merged, commit?, deleted, current, atoms, namespaces}.',
  capability: 'work',
  effect: 'write',
  subject: ['branch'],
  input: Type.Object(
    { branch: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Default: the current branch.' })) },
    closed,
  ),
  output: Type.Object(
    {
      branch: Type.String(),
      merged: Type.Boolean({ description: 'false when main had everything already.' }),
      commit: Type.Optional(Type.String()),
      deleted: Type.Boolean(),
      current: Type.String({ description: 'Current branch after the merge.' }),
      atoms: Type.Integer(),
      namespaces: Type.Array(Type.String()),
    },
    closed,
  ),
  errors: [MergeConflict, BrainQuotaExceeded],
  uses: { ...brainUses, ...activationUses },
  async handle({ branch }, refs, ctx) {
    const { namespaces, ...done } = await mergeBranch(refs, ctx, branch)
    // A merge completes a session; an idea continues.
    if (done.merged && isSession(done.branch)) await recordStep(refs, 'wrapup_merge', ctx)
    return { ...done, namespaces: [...namespaces] }
  },
})
