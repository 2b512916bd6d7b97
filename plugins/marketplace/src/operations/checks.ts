import { type CallContext, type Filter, gatewayInfo, gatewayWide, type Resolved } from '@gateway/sdk'
import { listings, versions } from '../collections.ts'
import { config } from '../config.ts'
import { MarketplaceRejected, type Rejection } from '../errors.ts'
import { InjectionScan, stretchesOf } from '../rules/injection.ts'
import { schemaFault } from '../rules/manifest.ts'
import { rankOf } from '../rules/semver.ts'
import type { Manifest, Version } from '../schema.ts'

export const checksUses = { config, gateway: gatewayInfo, listings: gatewayWide(listings), published: gatewayWide(versions) }
type Refs = Resolved<typeof checksUses>
export interface Submission {
  readonly manifest: Readonly<Record<string, unknown>>
  readonly artifactContent: string
}

/** Makes the four checks in their order. The first failure is thrown, and the later checks are not made. */
export async function checkSubmission({ manifest: raw, artifactContent }: Submission, refs: Refs, ctx: CallContext): Promise<Manifest> {
  refuse(schemaFault(raw, artifactContent))
  const manifest = raw as unknown as Manifest
  refuse(toolsFault(manifest, refs))
  refuse(await versionFault(manifest, refs, ctx))
  refuse(await injectionFault(manifest, artifactContent, ctx))
  return manifest
}

function refuse(rejection: Rejection | undefined): void {
  if (rejection) throw MarketplaceRejected(rejection)
}

function toolsFault({ tools }: Manifest, { config, gateway }: Refs): Rejection | undefined {
  const hidden = new Set(config.hiddenTools)
  const capabilities: readonly string[] = config.exposableCapabilities
  const exposable = new Set(
    gateway.tools().flatMap(({ name, capability }) => (capabilities.includes(capability) && !hidden.has(name) ? [name] : [])),
  )
  const at = tools.findIndex((name) => !exposable.has(name))
  if (at < 0) return undefined
  const why = `${JSON.stringify(tools[at])} is not a tool that a package may use (tools with the capability ${capabilities.join(' or ')})`
  return { check: 'tools', field: `tools[${at}]`, reason: `${why}.` }
}

/** A slug belongs to its first publisher and has one kind; a published version is immutable, and the next one is higher. */
async function versionFault(
  { slug, kind, version }: Manifest,
  { listings, published }: Refs,
  { tenantId }: CallContext,
): Promise<Rejection | undefined> {
  const rank = rankOf(version)
  if (rank === undefined) {
    return {
      check: 'version',
      field: 'version',
      reason: `\`version\` must be X.Y.Z in numbers without leading zeros; got ${JSON.stringify(version)}.`,
    }
  }
  const listing = await listings.get(slug)
  if (!listing) return undefined
  if (listing.ownerTenantId !== tenantId)
    return { check: 'version', field: 'slug', reason: `the slug ${slug} belongs to another publisher.` }
  if (listing.kind !== kind) return { check: 'version', field: 'kind', reason: `${slug} is of kind ${listing.kind}, which cannot change.` }
  const newest = await newestOf(published, { slug })
  if (!newest || newest.rank < rank) return undefined
  const reason = `${slug} is published as ${newest.version}, and a published version does not change: submit a version above it; got ${version}.`
  return { check: 'version', field: 'version', reason }
}

const newestOf = async (published: Refs['published'], where: Filter<Version>): Promise<Version | undefined> =>
  (await published.find({ where, sort: { rank: -1 }, limit: 1 })).items[0]

async function injectionFault(
  { title, description, category = '', entry = '' }: Manifest,
  artifactContent: string,
  ctx: CallContext,
): Promise<Rejection | undefined> {
  const texts = { title, description, category, entry, artifactContent }
  for (const [field, text] of Object.entries(texts)) {
    const scan = new InjectionScan()
    for (const stretch of stretchesOf(text)) {
      ctx.signal.throwIfAborted()
      const pattern = await ctx.turn(async () => scan.next(stretch))
      if (pattern !== undefined)
        return { check: 'injection', field, pattern, reason: `\`${field}\` meets the injection pattern ${pattern}.` }
    }
  }
  return undefined
}
