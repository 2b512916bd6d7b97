import { closed, defineCollection, Type } from '@gateway/sdk'

/** The one document a tenant has of its remote. */
export const REMOTE = 'remote'

export const remotes = defineCollection('brain-hosting.remotes', {
  schema: Type.Object(
    {
      id: Type.String(),
      /** Of tokens that are valid: SHA-256, which says nothing of 256 random bits. */
      tokenHashes: Type.Array(Type.String()),
      createdAt: Type.String(),
      rotatedAt: Type.Optional(Type.String()),
    },
    closed,
  ),
  key: 'id',
})
