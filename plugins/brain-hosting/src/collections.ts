import { closed, defineCollection, Type } from '@gateway/sdk'

/** Id of the single document that describes a tenant's remote. */
export const REMOTE = 'remote'

export const remotes = defineCollection('brain-hosting.remotes', {
  schema: Type.Object(
    {
      id: Type.String(),
      /** SHA-256 hashes of the valid tokens. A hash reveals nothing of 256 random bits. */
      tokenHashes: Type.Array(Type.String()),
      createdAt: Type.String(),
      rotatedAt: Type.Optional(Type.String()),
    },
    closed,
  ),
  key: 'id',
})
