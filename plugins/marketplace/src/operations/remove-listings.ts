import { gatewayWide, type Resolved, throughout } from '@gateway/sdk'
import { artifacts, installs, listings, versions } from '../collections.ts'

export const removeUses = {
  listings: gatewayWide(listings),
  versions: gatewayWide(versions),
  artifacts: gatewayWide(artifacts),
  installers: throughout(installs),
}
type Refs = Resolved<typeof removeUses>

const BATCH = 100

/**
 * Removes everything of a publisher that all tenants see, and have installed. The listing is removed last, so that a rerun after
 * a kill finds the rest.
 */
export async function removeListings(ownerTenantId: string, refs: Refs): Promise<void> {
  for (;;) {
    const { items } = await refs.listings.find({ where: { ownerTenantId }, limit: BATCH })
    for (const { slug } of items) {
      // Most tenants have not installed it, and a read is cheaper than a write.
      for (const { collection } of await refs.installers()) if (await collection.get(slug)) await collection.deleteOne(slug)
      await removeVersions(slug, refs)
      await refs.listings.writable().deleteOne(slug)
    }
    if (items.length < BATCH) return
  }
}

async function removeVersions(slug: string, { versions, artifacts }: Refs): Promise<void> {
  for (;;) {
    const { items } = await versions.find({ where: { slug }, limit: BATCH })
    for (const { versionId, artifactKey } of items) {
      // Another publisher may have the same content as well.
      const isShared = (await versions.count({ artifactKey, slug: { ne: slug } }, { max: 1 })) > 0
      if (!isShared) await artifacts.writable().deleteOne(artifactKey)
      await versions.writable().deleteOne(versionId)
    }
    if (items.length < BATCH) return
  }
}
