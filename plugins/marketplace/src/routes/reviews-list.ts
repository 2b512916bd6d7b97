import { closed, defineRoute, type Infer, ListFill, Type, throughout } from '@gateway/sdk'
import { versions } from '../collections.ts'
import { showVersion } from '../rules/show.ts'
import { operatorRoute, shownVersion } from '../schema.ts'

const MAX_LIMIT = 100
const Waiting = Type.Object(
  {
    submissionId: Type.String({ description: '<tenant>/<slug>@<version>.' }),
    authorTenantId: Type.String({ description: 'Tenant that submitted it.' }),
    ...shownVersion.properties,
  },
  closed,
)

export const reviewsList = defineRoute({
  ...operatorRoute,
  name: 'marketplace.reviews-list',
  description:
    'For the operator: list the versions in review and their authors, oldest first within each tenant. Returns them without their artifacts.',
  effect: 'read',
  rest: 'GET /api/marketplace/reviews',
  input: Type.Object({}, closed),
  output: Type.Object({ versions: Type.Array(Waiting), truncated: Type.Optional(Type.Boolean()) }, closed),
  uses: { authors: throughout(versions) },
  async handle(_, { authors }) {
    const list = new ListFill<Infer<typeof Waiting>>(MAX_LIMIT)
    for (const { tenantId, collection } of await authors()) {
      if (list.isFull) break
      const { items } = await collection.find({ where: { status: 'in_review' }, sort: { submittedAt: 1 }, limit: MAX_LIMIT })
      for (const version of items)
        list.add({ submissionId: `${tenantId}/${version.versionId}`, authorTenantId: tenantId, ...showVersion(version) })
    }
    return { versions: list.rows, ...list.cutShort }
  },
})
