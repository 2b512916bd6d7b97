import {
  auditRecordSchema,
  auditSearch,
  checkOrder,
  closed,
  defined,
  defineRoute,
  pageArguments,
  readTime,
  rowLimit,
  Type,
} from '@gateway/sdk'
import { auditedTenant } from '../schema.ts'

const ROWS = rowLimit(50, 500)
const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))

export const searchAudit = defineRoute({
  name: 'audit.search',
  description:
    'List the changes and refusals in the audit trail of your tenant that meet all conditions, latest first. Needs the capability configure; for another tenant, operator.',
  capability: 'configure',
  effect: 'read',
  rest: 'GET /api/audit',
  input: Type.Object(
    {
      targetTenantId: auditedTenant,
      tool: text('Name of the tool or route.'),
      name: text('tool.call, or what a tool records besides, as task.trash.'),
      principal: text('Id of who called, or the label of the API key.'),
      outcome: text('ok, the code of a refusal, or refused for any of them.'),
      requestId: text('As answers carry it in x-request-id.'),
      from: text('ISO 8601: records from this time on.'),
      until: text('ISO 8601: records before this time.'),
      ...pageArguments(ROWS, 'the same conditions'),
    },
    closed,
  ),
  output: Type.Object(
    {
      count: Type.Integer(),
      records: Type.Array(auditRecordSchema),
      nextCursor: Type.Optional(
        Type.String({ description: 'Present until the beginning of the trail is reached, even after a page without matches.' }),
      ),
    },
    closed,
  ),
  uses: { audit: auditSearch },
  async handle({ targetTenantId, limit, from, until, ...conditions }, { audit }, ctx) {
    const tenantId = targetTenantId ?? ctx.tenantId
    if (tenantId !== ctx.tenantId) ctx.require('operator')
    const period = { from: timeOf(from, 'from'), until: timeOf(until, 'until') }
    checkOrder(period)
    const times = { from: period.from?.toISOString(), until: period.until?.toISOString() }
    const { records, nextCursor } = await audit.search(tenantId, { ...conditions, ...times, limit: ROWS.of(limit) })
    return { count: records.length, records: [...records], ...defined({ nextCursor }) }
  },
})

const timeOf = (text: string | undefined, field: string): Date | undefined => (text === undefined ? undefined : readTime(text, field))
