import { AtomView, checkRepo, foreignBrains, namespaceSchema } from '@gateway/plugin-brain/api'
import { closed, defineTool, Type } from '@gateway/sdk'
import { NoGrant } from '../errors.ts'
import { checkGrant, grantUses } from '../operations/check-grant.ts'
import { tenantIdSchema } from '../schema.ts'

const ATOMS = { default: 5, max: 50 }

export const brainNamespaceRead = defineTool({
  name: 'brain_namespace_read',
  description:
    'Read a namespace that another tenant shared with you: its brief and the newest atoms on the main branch of its owner, with their content. Returns {brief, atoms}.',
  capability: 'read',
  effect: 'read',
  input: Type.Object(
    {
      ownerTenantId: tenantIdSchema,
      namespace: namespaceSchema,
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          default: ATOMS.default,
          description: `Number of atoms, at most ${ATOMS.max}; a larger value means the maximum.`,
        }),
      ),
    },
    closed,
  ),
  output: Type.Object(
    {
      brief: Type.String({ description: 'Empty while the namespace is empty.' }),
      atoms: Type.Array(
        Type.Object(
          { ...AtomView.properties, content: Type.String(), truncated: Type.Boolean({ description: 'The content was cut off.' }) },
          closed,
        ),
      ),
    },
    closed,
  ),
  errors: [NoGrant],
  uses: { ...grantUses, brains: foreignBrains },
  check: ({ namespace }) => checkRepo('namespace', namespace),
  async handle({ ownerTenantId, namespace, limit = ATOMS.default }, { granted, brains }, ctx) {
    await checkGrant({ granted }, ctx.tenantId, { ownerTenantId, namespace, level: 'read' })
    const found = await brains.read(ownerTenantId, namespace, Math.min(limit, ATOMS.max))
    return { brief: found?.brief ?? '', atoms: [...(found?.atoms ?? [])] }
  },
})
