import { closed, defineCollection, type Infer, Type } from '@gateway/sdk'

/** Number of published bundles, which a node compares with the number it has received. */
const headSchema = Type.Object({ id: Type.String(), seq: Type.Integer() }, closed)
export type RelayHead = Infer<typeof headSchema>
export const relayHead = defineCollection('gateway.relay-head', { schema: headSchema, key: 'id' })

const bundleSchema = Type.Object(
  {
    bundleId: Type.String(),
    seq: Type.Integer(),
    node: Type.String(),
    /** JSON of `RelayMessage[]`. */
    messages: Type.String(),
    publishedAt: Type.String(),
  },
  closed,
)
export type Bundle = Infer<typeof bundleSchema>
/** A node that was away for longer than an hour cannot learn what it missed, and drops its caches. */
export const bundles = defineCollection('gateway.relay', {
  schema: bundleSchema,
  key: 'bundleId',
  indexes: [
    { keys: { seq: 1 }, unique: true },
    { keys: { publishedAt: 1 }, expireAfterSeconds: 3_600 },
  ],
})

const nodeSchema = Type.Object(
  {
    nodeId: Type.String(),
    host: Type.String(),
    pid: Type.Integer(),
    startedAt: Type.String(),
    /** Id of its data folder, which two nodes have alike if one runs on a copy. Absent from nodes of an earlier version. */
    folder: Type.Optional(Type.String()),
    /** Path of that folder on the node's machine. */
    folderPath: Type.Optional(Type.String()),
    /** The end by the store's clock; a node that does not renew it counts as dead. */
    aliveUntil: Type.String(),
  },
  closed,
)
export type NodeRecord = Infer<typeof nodeSchema>
export const nodeRecords = defineCollection('gateway.nodes', {
  schema: nodeSchema,
  key: 'nodeId',
  indexes: [{ keys: { aliveUntil: 1 }, expireAfterSeconds: 86_400 }],
})

export const nodeCollections = [relayHead, bundles, nodeRecords] as const
