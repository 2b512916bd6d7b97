import { atomically, BadRequest, type CallContext, type Resolved, type Transaction } from '@gateway/sdk'
import { type CuratedConnector, curatedConnector } from '../api.ts'
import { connectors, type Stored } from '../collections.ts'
import { fresh } from '../rules/curated.ts'

export const catalogueUses = { connectors, contributed: curatedConnector, atomically }
type Refs = Resolved<typeof catalogueUses>

const MAX_CUSTOM = 200
/** Exceeds the number of custom and curated connectors a tenant can have. */
const ALL = 1_000

/** Returns the curated set by key: those that the plugins contribute, the first of each key. */
export function curatedSet({ contributed }: Pick<Refs, 'contributed'>): ReadonlyMap<string, CuratedConnector> {
  const set = new Map<string, CuratedConnector>()
  for (const connector of contributed) if (!set.has(connector.key)) set.set(connector.key, connector)
  return set
}

/**
 * Returns the tenant's connectors, by key. Missing curated ones are added first, so that the first look does what
 * connectors_seed_defaults would. A curated one that no running plugin contributes any more is left out.
 */
export async function loadConnectors(refs: Refs, ctx: CallContext): Promise<readonly Stored[]> {
  const set = curatedSet(refs)
  const { items: stored } = await refs.connectors.find({ sort: { key: 1 }, limit: ALL })
  const present = new Set(stored.map(({ key }) => key))
  const lacking = [...set.values()].filter(({ key }) => !present.has(key))
  // Another caller may do the same concurrently: the second one finds what the first one stored.
  const seeded = await Promise.all(lacking.map((connector) => refs.connectors.upsert(fresh(connector, ctx.now().toISOString()), {})))
  const all = [...stored, ...seeded].filter(({ key, source }) => source === 'custom' || set.has(key))
  return all.sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Returns the connector of a key: a custom one, a curated one, which is stored by now, or `undefined`. */
export async function find({ connectors, ...refs }: Refs, key: string, tx: Transaction): Promise<Stored | undefined> {
  const found = await connectors.in(tx).get(key)
  if (found?.source === 'custom') return found
  const curated = curatedSet(refs).get(key)
  return curated && (found ?? connectors.in(tx).insert(fresh(curated, tx.now.toISOString())))
}

export async function switched({ connectors }: Refs, { key }: Stored, enabled: boolean, tx: Transaction): Promise<Stored | undefined> {
  return connectors.in(tx).updateOne(key, { set: { enabled, updatedAt: tx.now.toISOString() } })
}

export async function replace({ connectors }: Refs, connector: Stored, tx: Transaction): Promise<Stored> {
  const before = await connectors.in(tx).deleteOne(connector.key)
  if (before?.source !== 'custom' && (await connectors.in(tx).count({ source: 'custom' }, { max: MAX_CUSTOM })) >= MAX_CUSTOM) {
    throw BadRequest({
      field: 'key',
      message: `\`key\`: a tenant has at most ${MAX_CUSTOM} connectors of its own; remove one before adding \`${connector.key}\`.`,
    })
  }
  return connectors.in(tx).insert(connector)
}
