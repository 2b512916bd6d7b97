import { closed, defined, defineRoute, nextCursor, pageArguments, rowLimit, Type, tenantAdmin, tenantSchema } from '@gateway/sdk'
import { operatorRoute } from '../schema.ts'

const ROWS = rowLimit(1_000, 1_000, 'Tenants')

export const listTenants = defineRoute({
  ...operatorRoute,
  name: 'tenants.list',
  description: 'List all tenants, by id, for the operator. Pass nextCursor as cursor for the next page.',
  effect: 'read',
  rest: 'GET /api/tenants',
  input: Type.Object(pageArguments(ROWS), closed),
  output: Type.Object(
    { count: Type.Integer({ description: 'Tenants of this page.' }), tenants: Type.Array(tenantSchema), nextCursor },
    closed,
  ),
  uses: { tenants: tenantAdmin },
  async handle({ limit, cursor }, { tenants }) {
    const { items, nextCursor } = await tenants.page({ limit: ROWS.of(limit), ...defined({ cursor }) })
    return { count: items.length, tenants: [...items], ...defined({ nextCursor }) }
  },
})
