import { checkRepo, namespaceSchema } from '@gateway/plugin-brain/api'
import { atomically, BadRequest, Conflict, checkUnchanged, closed, defineTool, ifUpdatedAt, Type } from '@gateway/sdk'
import { grants } from '../collections.ts'
import { grantId } from '../rules/grants.ts'
import { Grant, granteeSchema, LEVELS } from '../schema.ts'

/** Includes revoked grants, which are kept; all of them can be listed in one answer. */
const MAX_GRANTS = 1_000

export const brainNamespaceShare = defineTool({
  name: 'brain_namespace_share',
  description:
    'Give another tenant access to a namespace of your brain, to read or to read and write. Sharing it again sets the level and takes a revocation back. Returns {grant}.',
  capability: 'configure',
  effect: 'write',
  idempotent: true,
  subject: ['namespace', 'granteeTenantId'],
  input: Type.Object({ namespace: namespaceSchema, granteeTenantId: granteeSchema, level: Type.Enum(LEVELS), ifUpdatedAt }, closed),
  output: Type.Object({ grant: Grant }, closed),
  uses: { grants, atomically },
  check({ namespace, granteeTenantId }, ctx) {
    checkRepo('namespace', namespace)
    if (granteeTenantId === ctx.tenantId)
      throw BadRequest({ field: 'granteeTenantId', message: '`granteeTenantId` must be another tenant; got your own' })
  },
  async handle({ namespace, granteeTenantId, level, ifUpdatedAt: expected }, { grants, atomically }, ctx) {
    const id = grantId(namespace, granteeTenantId)
    const at = ctx.now().toISOString()
    const grant = await atomically(async (tx) => {
      const own = grants.in(tx)
      const before = await own.get(id)
      checkUnchanged(before, expected)
      if (!before && (await own.count({}, { max: MAX_GRANTS })) >= MAX_GRANTS)
        throw Conflict({ message: `A tenant has at most ${MAX_GRANTS} grants, revoked ones included; this one has as many.` })
      return own.upsert(
        { grantId: id, namespace, granteeTenantId, level, grantedAt: at, updatedAt: at },
        { set: { level, updatedAt: at }, unset: ['revokedAt'] },
      )
    })
    ctx.audit('brain.namespace-shared', { namespace, granteeTenantId, level })
    return { grant }
  },
})
