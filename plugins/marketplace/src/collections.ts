import { defineCollection } from '@gateway/sdk'
import { artifactSchema, installSchema, listingSchema, versionSchema } from './schema.ts'

/** Submitted versions in an author's tenant; published ones gateway-wide. */
export const versions = defineCollection('marketplace.versions', {
  schema: versionSchema,
  key: 'versionId',
  indexes: [{ keys: { slug: 1, rank: -1 } }, { keys: { status: 1, submittedAt: 1 } }, { keys: { artifactKey: 1 } }],
})

/** The artifacts of these versions, by their content. Stored separately, so that no list reads them. */
export const artifacts = defineCollection('marketplace.artifacts', { schema: artifactSchema, key: 'artifactKey' })

/** Gateway-wide only. */
export const listings = defineCollection('marketplace.listings', {
  schema: listingSchema,
  key: 'slug',
  indexes: [{ keys: { installable: 1, kind: 1, category: 1 } }, { keys: { installable: 1, category: 1 } }, { keys: { ownerTenantId: 1 } }],
  text: ['slug', 'title', 'description', 'category'],
})

export const installs = defineCollection('marketplace.installs', { schema: installSchema, key: 'slug', indexes: [{ keys: { kind: 1 } }] })
