import { defineError, Type } from '@gateway/sdk'

export { MergeConflict } from '@gateway/plugin-git/api'

export const RevertConflict = defineError('REVERT_CONFLICT', {
  status: 409,
  description: 'The commit cannot be reverted, because later commits changed the same places. Nothing was changed.',
  details: Type.Object({ commit: Type.String(), paths: Type.Array(Type.String()) }),
  message: ({ commit, paths }) =>
    `${commit.slice(0, 8)} cannot be reverted: ${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ' and others' : ''} changed since; nothing was changed.`,
})
