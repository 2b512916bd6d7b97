import { type Collection, Conflict, defined } from '@gateway/sdk'
import type { Listing, Version } from '../schema.ts'

/** Maximum number of concurrent reviews of one listing; more than the operator has hands. */
const MAX_ATTEMPTS = 20

/** Assigns the slug to this tenant. Throws CONFLICT when it belongs to another. */
export async function claimSlug(version: Version, ownerTenantId: string, listings: Collection<Listing>, now: Date): Promise<void> {
  const { slug, kind, title, description, category, price } = version
  const first = {
    slug,
    kind,
    version: version.version,
    title,
    description,
    ...defined({ category, price }),
  }
  const listing = { ...first, publishedAt: now.toISOString(), ownerTenantId, installable: false, revision: 0 }
  const stands = await listings.upsert(listing, { inc: { revision: 0 } })
  if (stands.ownerTenantId !== ownerTenantId)
    throw Conflict({ message: `The slug ${slug} belongs to another tenant, which published it first.` })
  if (stands.kind !== kind) throw Conflict({ message: `${slug} is of kind ${stands.kind}, which cannot change.` })
}

/** Makes the listing show its newest installable version, even under concurrent changes. */
export async function refreshListing(slug: string, versions: Collection<Version>, listings: Collection<Listing>): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await listings.get(slug)
    if (!before) return
    const where = { slug, status: 'published', yanked: false } as const
    const [newest] = (await versions.find({ where, sort: { rank: -1 }, limit: 1 })).items
    const shown = newest && {
      version: newest.version,
      title: newest.title,
      description: newest.description,
      category: newest.category,
      price: newest.price,
    }
    const unset = newest ? (['category', 'price'] as const).filter((field) => newest[field] === undefined) : []
    const change = { set: { installable: newest !== undefined, ...shown }, inc: { revision: 1 }, unset }
    if (await listings.updateOne(slug, change, { revision: before.revision })) return
  }
  throw Conflict({ message: `The listing ${slug} was changed by others during each attempt; try again.` })
}
