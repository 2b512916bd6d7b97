import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { closed, defineCollection, type Infer, pages, Type } from '@gateway/sdk'
import { KERNEL_TENANT, type RowReader, rowsOf, type Store } from '@gateway/storage'
import type { ChainPoint } from './record.ts'

const KEPT_SECONDS = 400 * 86_400

const schema = Type.Object(
  {
    endId: Type.String(),
    /** The node whose folder it is: each node has its own trails. */
    node: Type.String(),
    tenantId: Type.String(),
    seq: Type.Integer(),
    hash: Type.String(),
    at: Type.String(),
  },
  closed,
)
type End = Infer<typeof schema>

/**
 * End of each tenant's trail, stored apart from the trail: it remains when the whole trail is removed with its `head.json`. It
 * never exceeds the records on the disk, so that a power cut does not make the trail look damaged. Entries of a node that is
 * gone for good expire.
 */
export const auditEnds = defineCollection('gateway.audit-ends', {
  schema,
  key: 'endId',
  indexes: [{ keys: { node: 1, tenantId: 1 } }, { keys: { at: 1 }, expireAfterSeconds: KEPT_SECONDS }],
})

export interface TrailEnds {
  of(tenantId: string): Promise<ChainPoint | undefined>
  all(): AsyncGenerator<ChainPoint & { readonly tenantId: string }>
  put(tenantId: string, end: ChainPoint, at: number): Promise<void>
  remove(tenantId: string): Promise<void>
}

export function trailEnds(store: Store, dataDir: string): TrailEnds {
  const ends = store.collection<End>(auditEnds, KERNEL_TENANT)
  const node = store.shared ? ownNode(dataDir) : ALONE
  const idOf = (tenantId: string): string => `${node}/${tenantId}`
  return {
    async of(tenantId) {
      const end = await ends.get(idOf(tenantId))
      return end && { seq: end.seq, hash: end.hash }
    },
    async *all() {
      for await (const items of pages(ends, { where: { node }, sort: { tenantId: 1 }, limit: 500 })) yield* items
    },
    async put(tenantId, { seq, hash }, time) {
      const at = new Date(time).toISOString()
      await ends.upsert({ endId: idOf(tenantId), node, tenantId, seq, hash, at }, { set: { seq, hash, at } })
    },
    async remove(tenantId) {
      await ends.deleteOne(idOf(tenantId))
    },
  }
}

/** Reads the ends from a store that no gateway has open here. */
export async function storedEnds(rows: RowReader, isShared: boolean, dataDir: string): Promise<ReadonlyMap<string, ChainPoint>> {
  const node = isShared ? knownNode(dataDir) : ALONE
  const found = new Map<string, ChainPoint>()
  for await (const { doc } of rowsOf(rows, auditEnds, undefined)) {
    const { node: whose, tenantId, seq, hash } = doc as End
    if (whose === node) found.set(tenantId, { seq, hash })
  }
  return found
}

/** The embedded store has one node, wherever its folder is moved. */
const ALONE = 'alone'

const nodeFile = (dataDir: string): string => join(dataDir, 'node.id')
const knownNode = (dataDir: string): string | undefined =>
  existsSync(nodeFile(dataDir)) ? readFileSync(nodeFile(dataDir), 'utf8').trim() : undefined

/** Id of a data folder among several, kept for good: neither next to the trails, nor among the keys that nodes share. */
export function ownNode(dataDir: string): string {
  const known = knownNode(dataDir)
  if (known) return known
  const node = randomUUID()
  const file = nodeFile(dataDir)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, `${node}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
  return node
}
