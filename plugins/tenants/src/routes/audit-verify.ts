import { auditFaultSchema, auditSearch, closed, defineRoute, Type } from '@gateway/sdk'
import { auditedTenant } from '../schema.ts'

export const verifyTrail = defineRoute({
  name: 'audit.verify',
  description:
    'Check the audit trail of your tenant against its hashes, for changed, removed or inserted records. Returns a verdict on about 32 MiB of it, the oldest first. Needs the capability configure; for another tenant, operator.',
  capability: 'configure',
  effect: 'read',
  rest: 'GET /api/audit/verify',
  input: Type.Object(
    {
      targetTenantId: auditedTenant,
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'nextCursor of the previous part.' })),
    },
    closed,
  ),
  output: Type.Object(
    {
      intact: Type.Boolean({ description: 'No faults in this part.' }),
      records: Type.Integer({ description: 'Records read in this part.' }),
      faultCount: Type.Integer(),
      faults: Type.Array(auditFaultSchema, { description: 'The first 50.' }),
      notes: Type.Array(Type.String(), { description: 'Observations that are no faults.' }),
      last: Type.Object({ seq: Type.Integer(), hash: Type.String() }, { ...closed, description: 'Last record read.' }),
      nextCursor: Type.Optional(Type.String({ description: 'Absent at the end of the trail.' })),
    },
    closed,
  ),
  uses: { audit: auditSearch },
  async handle({ targetTenantId, cursor }, { audit }, ctx) {
    const tenantId = targetTenantId ?? ctx.tenantId
    if (tenantId !== ctx.tenantId) ctx.require('operator')
    const { faults, notes, last, ...verdict } = await audit.verify(tenantId, cursor)
    return {
      intact: verdict.faultCount === 0,
      ...verdict,
      faults: [...faults],
      notes: [...notes],
      last: { seq: last.seq, hash: last.hash },
    }
  },
})
