import { closed, type Infer, ifUpdatedAt, Type } from '@gateway/sdk'

export const KINDS = ['agent', 'skill'] as const
/** States of a version. A yanked one is still published, but can no longer be installed. */
const STATUSES = ['draft', 'in_review', 'published', 'suspended', 'delisted'] as const
export type Kind = (typeof KINDS)[number]
export type Status = (typeof STATUSES)[number]

export const slug = Type.String({ minLength: 1, maxLength: 200, description: 'Listing: a-z, 0-9 and hyphens.' })
export const version = Type.String({ minLength: 1, maxLength: 100, description: 'X.Y.Z.' })

const manifestFields = {
  slug: Type.String(),
  kind: Type.Enum(KINDS),
  version: Type.String(),
  title: Type.String(),
  description: Type.String(),
  category: Type.Optional(Type.String()),
  tools: Type.Array(Type.String(), { description: 'Tools of the gateway that it uses.' }),
  entry: Type.Optional(Type.String({ description: 'Name of its entry file, as the author calls it.' })),
  price: Type.Optional(Type.Number({ description: 'US dollars. Absent or 0: free.' })),
  manifestHash: Type.String({ description: 'SHA-256 of the artifact, hex.' }),
}
const manifestSchema = Type.Object(manifestFields, closed)
export type Manifest = Infer<typeof manifestSchema>

/** A version: in its author's tenant from the day it is submitted, and for all tenants once the operator has published it. */
export const versionSchema = Type.Object(
  {
    /** `<slug>@<version>`. */
    versionId: Type.String(),
    ...manifestFields,
    /** The version as a text that sorts as versions do. */
    rank: Type.String(),
    artifactKey: Type.String({ description: 'Key in the artifact store: sha256/<hash>.' }),
    artifactBytes: Type.Integer(),
    status: Type.Enum(STATUSES),
    yanked: Type.Boolean(),
    submittedAt: Type.String({ description: 'Time of the first submission; submitting the same version again keeps it.' }),
    updatedAt: Type.String(),
  },
  closed,
)
export type Version = Infer<typeof versionSchema>

const { rank: _rank, versionId: _versionId, ...shownFields } = versionSchema.properties
export const shownVersion = Type.Object(shownFields, closed)
export type ShownVersion = Infer<typeof shownVersion>

export const artifactSchema = Type.Object({ artifactKey: Type.String(), content: Type.String() }, closed)

const summaryFields = {
  slug: Type.String(),
  kind: Type.Enum(KINDS),
  version: Type.String({ description: 'Latest version that can be installed.' }),
  title: Type.String(),
  description: Type.String(),
  category: Type.Optional(Type.String()),
  price: Type.Optional(Type.Number()),
  publishedAt: Type.String({ description: 'Time when the listing was first published.' }),
}
export const summarySchema = Type.Object(summaryFields, closed)
export type Summary = Infer<typeof summarySchema>

/** A slug that was published once, and its owner. Searches find it while a version of it can be installed. */
export const listingSchema = Type.Object(
  { ...summaryFields, ownerTenantId: Type.String(), installable: Type.Boolean(), revision: Type.Integer() },
  closed,
)
export type Listing = Infer<typeof listingSchema>

/** An installation of a tenant: one version of a listing. */
export const installSchema = Type.Object(
  {
    slug: Type.String(),
    kind: Type.Enum(KINDS),
    version: Type.String(),
    title: Type.String(),
    manifestHash: Type.String(),
    installedAt: Type.String(),
  },
  closed,
)
export type Install = Infer<typeof installSchema>

export const operatorRoute = { capability: 'operator', credential: 'admin' } as const
export const OneVersion = Type.Object(
  {
    slug,
    version,
    authorTenantId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Tenant that submitted it, as the list of reviews shows it; needed if several tenants have this version.',
      }),
    ),
  },
  closed,
)
export type OneVersion = Infer<typeof OneVersion>
/** A decision names the submission that was read: an author may renew one that is in review. */
export const OneDecision = Type.Object({ ...OneVersion.properties, ifUpdatedAt }, closed)
export type OneDecision = Infer<typeof OneDecision>
export const VersionResult = Type.Object({ version: shownVersion }, closed)
