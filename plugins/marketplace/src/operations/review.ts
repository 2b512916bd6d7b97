import {
  type CallContext,
  type Collection,
  Conflict,
  checkUnchanged,
  gatewayWide,
  type InTenant,
  NotFound,
  type Resolved,
  throughout,
} from '@gateway/sdk'
import { mapConcurrently } from '@gateway/sdk/bounds'
import { artifacts, listings, versions } from '../collections.ts'
import { MarketplaceRejected } from '../errors.ts'
import { sha256, versionIdOf } from '../rules/content-key.ts'
import { type Decision, decided } from '../rules/decide.ts'
import type { OneDecision, OneVersion, Version } from '../schema.ts'
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
export async function review(asked: OneDecision, decision: Decision, refs: Refs, ctx: CallContext): Promise<Version> {
  // Rejecting cannot be undone, so that it never picks one of several submissions.
  const { at, version: found } = await findSubmitted(asked, refs, { refuseSeveral: decision === 'delist' })
  const { versionId, slug, manifestHash, updatedAt } = found
  checkUnchanged(found, asked.ifUpdatedAt)
  const change = decided(decision, found)
  if (!change)
    throw Conflict({ message: `${versionId} is ${found.yanked ? 'yanked' : found.status}; the decision ${decision} does not apply to it.` })
  if (decision === 'publish') checkReadLast(found, asked.ifUpdatedAt)
  const now = ctx.now()
  const set = { ...change, updatedAt: now.toISOString() }
  const wide = refs.versions.writable()
  const slugs = refs.listings.writable()
  if (decision === 'publish') {
    await claimSlug(found, at.tenantId, slugs, now)
    await checkNotPublished(found, refs)
    await shareArtifact(found, at.tenantId, refs)
    await wide.upsert({ ...found, ...set }, { set })
  }
  const isShared =
    decision === 'publish' || ((await isOwnSlug(found, at.tenantId, refs)) && (await wide.updateOne(versionId, { set })) !== undefined)
  if (isShared) await refreshListing(slug, wide, slugs)
  // A submission that was renewed meanwhile is not the one that was reviewed.
  const decidedOn = await at.collection.updateOne(versionId, { set }, { manifestHash, updatedAt })
  if (decidedOn) return decidedOn
  // A published version does not change: the author's copy is the published one again, so that later decisions apply to it.
  if (decision === 'publish') {
    const { versionId: _id, ...published } = { ...found, ...set }
    return (await at.collection.updateOne(versionId, { set: published }, { status: 'in_review' })) ?? { ...found, ...set }
  }
  if (!isShared) throw Conflict({ message: `${versionId} was submitted again during this decision. Read it again and decide.` })
  return { ...found, ...set }
}

/** The author may submit a version again between reading and publishing, so that a renewed one has to be named by its time. */
function checkReadLast({ versionId, status, submittedAt, updatedAt }: Version, expected: string | undefined): void {
  if (status !== 'in_review' || updatedAt === submittedAt || expected !== undefined) return
  throw Conflict({
    field: 'ifUpdatedAt',
    message: `\`ifUpdatedAt\` must be the updatedAt of the version as you read it, because ${versionId} was submitted again at ${updatedAt}; got none. Read it again and decide.`,
  })
}

/** A version whose renewal came while its earlier content was being published stays in review; it cannot be published as well. */
async function checkNotPublished({ versionId, manifestHash }: Version, { versions }: Refs): Promise<void> {
  const published = await versions.get(versionId)
  if (published === undefined || published.manifestHash === manifestHash) return
  throw Conflict({ message: `${versionId} is published with another artifact, and a published version does not change.` })
}

/** True if what all tenants see under this slug is of this author. */
async function isOwnSlug({ slug }: Version, authorTenantId: string, refs: Refs): Promise<boolean> {
  return (await refs.listings.get(slug))?.ownerTenantId === authorTenantId
}

/** Returns the version of the author that was named, otherwise of the slug's owner, or of who submitted it first. */
export async function findSubmitted(
  asked: OneVersion,
  { authors, listings }: Pick<Refs, 'authors' | 'listings'>,
  { refuseSeveral }: { readonly refuseSeveral: boolean } = { refuseSeveral: false },
): Promise<Submitted> {
  const { slug, version, authorTenantId } = asked
  const versionId = versionIdOf(slug, version)
  const tenants = (await authors()).filter(({ tenantId }) => authorTenantId === undefined || tenantId === authorTenantId)
  const copies = await mapConcurrently(tenants, TENANTS_ASKED_AT_ONCE, (at) => at.collection.get(versionId))
  const found = tenants.flatMap((at, index): Submitted[] => {
    const version = copies[index]
    return version ? [{ at, version }] : []
  })
  // Refused versions count if there are no others.
  const open = found.filter(({ version }) => version.status !== 'delisted')
  const candidates = open.length > 0 ? open : found
  if (refuseSeveral && candidates.length > 1) throw severalAuthors(versionId, candidates)
  const owner = candidates.length > 1 ? (await listings.get(slug))?.ownerTenantId : undefined
  const [first] = candidates.toSorted((a, b) => {
    const [ofA, ofB] = [Number(a.at.tenantId !== owner), Number(b.at.tenantId !== owner)]
    return ofA - ofB || (a.version.submittedAt < b.version.submittedAt ? -1 : 1)
  })
  if (!first) throw NotFound({ what: 'version', id: versionId })
  return first
}

const NAMED_AUTHORS = 10
function severalAuthors(versionId: string, found: readonly Submitted[]): Error {
  const named = found.slice(0, NAMED_AUTHORS).map(({ at }) => at.tenantId)
  const more = found.length > named.length ? ` and ${found.length - named.length} more` : ''
  return Conflict({
    field: 'authorTenantId',
    message: `\`authorTenantId\` must name one of the tenants that have submitted ${versionId} (${named.join(', ')}${more}); got none.`,
  })
}

async function shareArtifact({ artifactKey, manifestHash }: Version, tenantId: string, refs: Refs): Promise<void> {
  // A renewal may have dropped the author's own copy of what is published.
  const content = (await artifactOf(tenantId, artifactKey, refs.authorsArtifacts)) ?? (await refs.artifacts.get(artifactKey))?.content
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
