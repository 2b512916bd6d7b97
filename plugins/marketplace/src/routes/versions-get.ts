import { closed, defined, defineRoute, Type } from '@gateway/sdk'
import { artifactOf, findSubmitted, reviewUses } from '../operations/review.ts'
import { showVersion } from '../rules/show.ts'
import { OneVersion, operatorRoute, shownVersion } from '../schema.ts'

export const versionsGet = defineRoute({
  ...operatorRoute,
  name: 'marketplace.versions-get',
  description:
    'For the operator: read a version with its artifact, to review it. Returns the version, its author’s tenant and the artifact.',
  effect: 'read',
  rest: 'GET /api/marketplace/:slug/versions/:version',
  input: OneVersion,
  output: Type.Object({ version: shownVersion, authorTenantId: Type.String(), artifactContent: Type.Optional(Type.String()) }, closed),
  uses: reviewUses,
  async handle(input, refs) {
    const { at, version: found } = await findSubmitted(input, refs)
    const artifactContent = await artifactOf(at.tenantId, found.artifactKey, refs.authorsArtifacts)
    return { version: showVersion(found), authorTenantId: at.tenantId, ...defined({ artifactContent }) }
  },
})
