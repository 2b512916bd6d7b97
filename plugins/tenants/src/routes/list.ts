import { closed, defineRoute, Type, tenantAdmin, tenantSchema } from '@gateway/sdk'
import { operatorRoute } from '../schema.ts'

export const listTenants = defineRoute({
  ...operatorRoute,
  name: 'tenants.list',
  description: 'List all tenants, by id, for the operator.',
  effect: 'read',
  rest: 'GET /api/tenants',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), tenants: Type.Array(tenantSchema) }, closed),
  uses: { tenants: tenantAdmin },
  async handle(_, { tenants }) {
    const all = [...(await tenants.list())]
    return { count: all.length, tenants: all }
  },
})
