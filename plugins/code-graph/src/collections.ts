import { closed, defineCollection, Type } from '@gateway/sdk'

/** A repo that has not been queried for this long is read again. */
const KEPT_SECONDS = 90 * 86_400

/**
 * The known facts of a repo's files, in parts. Each part is packed, so that a graph of ten thousand files is a few dozen small
 * documents, and is valid only for files whose content has the hash it names.
 */
export const shards = defineCollection('code-graph.shards', {
  schema: Type.Object(
    { shardId: Type.String(), repo: Type.String(), number: Type.Integer(), data: Type.String(), updatedAt: Type.String() },
    closed,
  ),
  key: 'shardId',
  indexes: [{ keys: { repo: 1, number: 1 } }, { keys: { updatedAt: 1 }, expireAfterSeconds: KEPT_SECONDS }],
})
