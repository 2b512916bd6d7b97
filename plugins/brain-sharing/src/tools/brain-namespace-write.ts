import {
  AtomView,
  BrainQuotaExceeded,
  checkName,
  checkRepo,
  contentSchema,
  foreignBrains,
  namespaceSchema,
  slugSchema,
} from '@gateway/plugin-brain/api'
import { BadRequest, closed, defineTool, LARGE_BODY_BYTES, Type } from '@gateway/sdk'
import { NoGrant } from '../errors.ts'
import { checkGrant, grantUses } from '../operations/check-grant.ts'
import { tenantIdSchema } from '../schema.ts'

export const brainNamespaceWrite = defineTool({
  name: 'brain_namespace_write',
  description:
    'Write an atom to the main branch of a namespace that another tenant shared with you for writing; it says that you wrote it. Returns {atom, created}.',
  capability: 'work',
  effect: 'write',
  bodyLimitBytes: LARGE_BODY_BYTES,
  subject: ['namespace', 'ownerTenantId', 'slug'],
  input: Type.Object(
    {
      ownerTenantId: tenantIdSchema,
      namespace: namespaceSchema,
      kind: Type.Enum(['session', 'handoff']),
      slug: slugSchema,
      content: contentSchema,
    },
    closed,
  ),
  output: Type.Object({ atom: AtomView, created: Type.Boolean({ description: 'false when it existed already.' }) }, closed),
  errors: [NoGrant, BrainQuotaExceeded],
  uses: { ...grantUses, brains: foreignBrains },
  check({ namespace, slug, content }) {
    checkRepo('namespace', namespace)
    checkName('slug', slug)
    if (content.trim() === '') throw BadRequest({ field: 'content', message: '`content` must not be blank; got only blanks' })
  },
  async handle({ ownerTenantId, namespace, ...draft }, { granted, brains }, ctx) {
    await checkGrant({ granted }, ctx.tenantId, { ownerTenantId, namespace, level: 'read-write' })
    const { atom, created } = await brains.write(ownerTenantId, { ...draft, repo: namespace })
    ctx.audit('brain.namespace-written', { ownerTenantId, namespace, path: atom.path })
    return { atom, created }
  },
})
