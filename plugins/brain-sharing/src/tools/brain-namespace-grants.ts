import { checkRepo, namespaceSchema } from '@gateway/plugin-brain/api'
import { closed, defined, defineTool, Type } from '@gateway/sdk'
import { grants } from '../collections.ts'
import { Grant } from '../schema.ts'

/** Maximum number of grants a tenant may have. */
const MAX_GRANTS = 1_000

export const brainNamespaceGrants = defineTool({
  name: 'brain_namespace_grants',
  description: 'List who has, or had, access to the namespaces of your brain, newest first. Returns {grants}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      namespace: Type.Optional(namespaceSchema),
      activeOnly: Type.Optional(Type.Boolean({ default: false, description: 'true: omit revoked grants.' })),
    },
    closed,
  ),
  output: Type.Object({ grants: Type.Array(Grant) }, closed),
  uses: { grants },
  check({ namespace }) {
    if (namespace !== undefined) checkRepo('namespace', namespace)
  },
  async handle({ namespace, activeOnly = false }, { grants }) {
    const where = { ...defined({ namespace }), ...(activeOnly && { revokedAt: null }) }
    const { items } = await grants.find({ where, sort: { grantedAt: -1 }, limit: MAX_GRANTS })
    return { grants: [...items] }
  },
})
