import { type CallContext, type Collection, Conflict, gatewayWide, type InTenant, NotFound, type Resolved, throughout } from '@gateway/sdk'
import { artifacts, listings, versions } from '../collections.ts'
import { MarketplaceRejected } from '../errors.ts'
import { sha256, versionIdOf } from '../rules/content-key.ts'
import { type Decision, decided } from '../rules/decide.ts'
import type { Version } from '../schema.ts'
import { claimSlug, refreshListing } from './listing.ts'

export const reviewUses = {
  authors: throughout(versions),
  authorsArtifacts: throughout(artifacts),
  versions: gatewayWide(versions),
  artifacts: gatewayWide(artifacts),
  listings: gatewayWide(listings),
}
type Refs = Resolved<typeof reviewUses>
interface Submitted {
  readonly at: InTenant<Version>
  readonly version: Version
}
const TENANTS_ASKED_AT_ONCE = 16

/**
 * Applies the operator's decision on a version. The records that all tenants see come first, the author's own record last. Each
 * step may be repeated, so requesting an interrupted review again completes it.
 */
export async function review(slug: string, version: string, decision: Decision, refs: Refs, ctx: CallContext): Promise<Version> {
  const { at, version: found } = await findSubmitted(slug, version, refs)
  const change = decided(decision, found)
  if (!change)
    throw Conflict({
      message: `${found.versionId} is ${found.yanked ? 'yanked' : found.status}; the decision ${decision} does not apply to it.`,
    })
  const now = ctx.now()
  const set = { ...change, updatedAt: now.toISOString() }
  const wide = refs.versions.writable()
  const slugs = refs.listings.writable()
  if (decision === 'publish') {
    await claimSlug(found, at.tenantId, slugs, now)
    await shareArtifact(found, at.tenantId, refs)
    await wide.upsert({ ...found, ...set }, { set })
  } else await wide.updateOne(found.versionId, { set })
  await refreshListing(slug, wide, slugs)
  // A submission that was renewed meanwhile is not the one that was reviewed.
  const same = { manifestHash: found.manifestHash }
  return (await at.collection.updateOne(found.versionId, { set }, same)) ?? found
}

/** Returns the version in its author's tenant: the slug owner's, or that of the first submitter. */
export async function findSubmitted(slug: string, version: string, refs: Pick<Refs, 'authors' | 'listings'>): Promise<Submitted> {
  const versionId = versionIdOf(slug, version)
  const owner = (await refs.listings.get(slug))?.ownerTenantId
  const asked = (await refs.authors()).filter(({ tenantId }) => owner === undefined || tenantId === owner)
  const found: Submitted[] = []
  for (let from = 0; from < asked.length; from += TENANTS_ASKED_AT_ONCE) {
    const some = asked.slice(from, from + TENANTS_ASKED_AT_ONCE)
    const copies = await Promise.all(some.map(async (at) => ({ at, version: await at.collection.get(versionId) })))
    for (const { at, version } of copies) if (version) found.push({ at, version })
  }
  const [first] = found.sort((a, b) => order(a.version) - order(b.version) || (a.version.submittedAt < b.version.submittedAt ? -1 : 1))
  if (!first) throw NotFound({ what: 'version', id: versionId })
  return first
}

/** Refused versions come after those still to be reviewed. */
const order = ({ status }: Version): number => (status === 'delisted' ? 1 : 0)

async function shareArtifact({ artifactKey, manifestHash }: Version, tenantId: string, refs: Refs): Promise<void> {
  const content = await artifactOf(tenantId, artifactKey, refs.authorsArtifacts)
  if (content === undefined || sha256(content) !== manifestHash) {
    throw MarketplaceRejected({
      check: 'integrity',
      reason: 'the stored artifact is not the one that the manifest names; have it submitted again.',
    })
  }
  const shared: Collection<{ artifactKey: string; content: string }> = refs.artifacts.writable()
  await shared.upsert({ artifactKey, content }, { set: { content } })
}

export async function artifactOf(tenantId: string, artifactKey: string, authors: Refs['authorsArtifacts']): Promise<string | undefined> {
  const at = (await authors()).find((one) => one.tenantId === tenantId)
  return (await at?.collection.get(artifactKey))?.content
}
