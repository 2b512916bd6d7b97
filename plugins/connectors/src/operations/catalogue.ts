import { atomically, BadRequest, type CallContext, type Resolved, type Transaction } from '@gateway/sdk'
import { type CuratedConnector, curatedConnector } from '../api.ts'
import { connectors, type Stored } from '../collections.ts'
import { bundled } from '../rules/bundled.ts'
import { fresh } from '../rules/curated.ts'

export const catalogueUses = { connectors, contributed: curatedConnector, atomically }
type Refs = Resolved<typeof catalogueUses>

const MAX_CUSTOM = 200
/** More than a tenant can have of its own and of the curated set. */
const ALL = 1_000

/** The curated set by key: what comes with the gateway, then what plugins bring, the first of each key. */
export function curatedSet({ contributed }: Pick<Refs, 'contributed'>): ReadonlyMap<string, CuratedConnector> {
  const set = new Map<string, CuratedConnector>()
  for (const connector of [...bundled, ...contributed]) if (!set.has(connector.key)) set.set(connector.key, connector)
  return set
}

/**
 * The tenant’s connectors, by key. What it lacks of the curated set is put in place first, so that the first look does
 * what connectors_seed_defaults would. A curated one that no running plugin brings any more is not there.
 */
export async function loadConnectors(refs: Refs, ctx: CallContext): Promise<readonly Stored[]> {
  const set = curatedSet(refs)
  const { items: stored } = await refs.connectors.find({ sort: { key: 1 }, limit: ALL })
  const present = new Set(stored.map(({ key }) => key))
  const lacking = [...set.values()].filter(({ key }) => !present.has(key))
  // Another caller may be as quick: whoever comes second finds what the first put there.
  const seeded = await Promise.all(lacking.map((connector) => refs.connectors.upsert(fresh(connector, ctx.now().toISOString()), {})))
  const all = [...stored, ...seeded].filter(({ key, source }) => source === 'custom' || set.has(key))
  return all.sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** What a key stands for: a custom connector, a curated one, stored by now, or nothing. */
export async function find({ connectors, ...refs }: Refs, key: string, tx: Transaction): Promise<Stored | undefined> {
  const found = await connectors.in(tx).get(key)
  if (found?.source === 'custom') return found
  const curated = curatedSet(refs).get(key)
  return curated && (found ?? connectors.in(tx).insert(fresh(curated, tx.now.toISOString())))
}

export async function switched({ connectors }: Refs, { key }: Stored, enabled: boolean, tx: Transaction): Promise<Stored | undefined> {
  return connectors.in(tx).updateOne(key, { set: { enabled, updatedAt: tx.now.toISOString() } })
}

/** Put a custom connector in the place of what stands under its key. */
export async function replace({ connectors }: Refs, connector: Stored, tx: Transaction): Promise<Stored> {
  const before = await connectors.in(tx).deleteOne(connector.key)
  if (before?.source !== 'custom' && (await connectors.in(tx).count({ source: 'custom' }, { max: MAX_CUSTOM })) >= MAX_CUSTOM) {
    throw BadRequest({
      field: 'key',
      message: `A tenant has at most ${MAX_CUSTOM} connectors of its own: remove one before \`${connector.key}\`.`,
    })
  }
  return connectors.in(tx).insert(connector)
}
