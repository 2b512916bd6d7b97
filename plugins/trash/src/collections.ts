import { closed, defineCollection, Type } from '@gateway/sdk'

/**
 * `purgeAfter` is written when the record is removed, so that a later change of the setting does not shorten it. Every read
 * filters on it; `trash.retention` frees the space some time after.
 */
export const entries = defineCollection('trash', {
  schema: Type.Object(
    {
      trashId: Type.String(),
      kind: Type.String(),
      itemId: Type.String(),
      label: Type.String(),
      repo: Type.Optional(Type.String()),
      itemCount: Type.Integer(),
      deletedBy: Type.String(),
      reason: Type.Optional(Type.String()),
      deletedAt: Type.String(),
      purgeAfter: Type.String(),
      payload: Type.Unknown(),
    },
    closed,
  ),
  key: 'trashId',
  indexes: [
    { keys: { deletedAt: -1 } },
    { keys: { kind: 1, deletedAt: -1 } },
    { keys: { repo: 1, deletedAt: -1 } },
    { keys: { kind: 1, repo: 1, deletedAt: -1 } },
    { keys: { kind: 1, itemId: 1, deletedAt: -1 } },
    { keys: { purgeAfter: 1 } },
  ],
})
