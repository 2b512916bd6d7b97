import { checkRepo, namespaceSchema } from '@gateway/plugin-brain/api'
import { atomically, checkUnchanged, closed, defineTool, ifUpdatedAt, Type } from '@gateway/sdk'
import { grants } from '../collections.ts'
import { NeverGranted } from '../errors.ts'
import { grantId } from '../rules/grants.ts'
import { Grant, tenantIdSchema } from '../schema.ts'

export const brainNamespaceUnshare = defineTool({
  name: 'brain_namespace_unshare',
  description:
    'Take the access of another tenant to a namespace of your brain back, from its next call on. The grant is kept, with the time; taking it back again changes nothing. Returns {grant, revokedAt}.',
  capability: 'configure',
  effect: 'write',
  idempotent: true,
  subject: ['namespace', 'granteeTenantId'],
  input: Type.Object({ namespace: namespaceSchema, granteeTenantId: tenantIdSchema, ifUpdatedAt }, closed),
  output: Type.Object({ grant: Grant, revokedAt: Type.String() }, closed),
  errors: [NeverGranted],
  uses: { grants, atomically },
  check: ({ namespace }) => checkRepo('namespace', namespace),
  async handle({ namespace, granteeTenantId, ifUpdatedAt: expected }, { grants, atomically }, ctx) {
    const id = grantId(namespace, granteeTenantId)
    const at = ctx.now().toISOString()
    const { grant, revoked } = await atomically(async (tx) => {
      const before = await grants.in(tx).get(id)
      if (!before) throw NeverGranted({ namespace, granteeTenantId })
      checkUnchanged(before, expected)
      const revoked = await grants.in(tx).updateOne(id, { set: { revokedAt: at, updatedAt: at } }, { revokedAt: null })
      return { grant: revoked ?? before, revoked }
    })
    if (revoked) ctx.audit('brain.namespace-unshared', { namespace, granteeTenantId })
    return { grant, revokedAt: grant.revokedAt ?? at }
  },
})
