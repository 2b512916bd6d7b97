import { closed, defineCollection, Type } from '@gateway/sdk'

/** A repo that nobody asked about for so long is read anew. */
const KEPT_SECONDS = 90 * 86_400

/**
 * What is known of a repo’s files, in parts: each is packed, so that a graph of ten thousand files is some dozens of small documents, and
 * is right only for files whose content has the hash it names.
 */
export const shards = defineCollection('code-graph.shards', {
  schema: Type.Object(
    { shardId: Type.String(), repo: Type.String(), number: Type.Integer(), data: Type.String(), updatedAt: Type.String() },
    closed,
  ),
  key: 'shardId',
  indexes: [{ keys: { repo: 1, number: 1 } }, { keys: { updatedAt: 1 }, expireAfterSeconds: KEPT_SECONDS }],
})
