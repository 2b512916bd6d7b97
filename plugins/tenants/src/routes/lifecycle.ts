import { defineRoute, Type, tenantAdmin, tenantSchema } from '@gateway/sdk'
import { closed, operatorRoute, Plan, Target, TenantResult, targetTenantId } from '../schema.ts'

const uses = { tenants: tenantAdmin }
const one = { ...operatorRoute, input: Target, output: TenantResult, uses } as const

export const listTenants = defineRoute({
  ...operatorRoute,
  name: 'tenants.list',
  description: 'List all tenants, by id, for the operator.',
  effect: 'read',
  rest: 'GET /api/tenants',
  input: Type.Object({}, closed),
  output: Type.Object({ count: Type.Integer(), tenants: Type.Array(tenantSchema) }, closed),
  uses,
  async handle(_, { tenants }) {
    const all = [...(await tenants.list())]
    return { count: all.length, tenants: all }
  },
})

export const getTenant = defineRoute({
  ...one,
  name: 'tenants.get',
  description: 'Returns one tenant, for the operator.',
  effect: 'read',
  rest: 'GET /api/tenants/:targetTenantId',
  handle: async ({ targetTenantId }, { tenants }) => ({ tenant: await tenants.get(targetTenantId) }),
})

export const changeTenant = defineRoute({
  ...one,
  name: 'tenants.change',
  description: 'Change a tenant’s plan or its legal hold. Returns the tenant.',
  effect: 'write',
  rest: 'PATCH /api/tenants/:targetTenantId',
  input: Type.Object(
    {
      targetTenantId,
      plan: Type.Optional(Plan),
      legalHold: Type.Optional(
        Type.Boolean({
          description:
            'Keeps the tenant out of every purge; rings of records (logs, traces, artifacts, past runs) go on dropping their oldest.',
        }),
      ),
    },
    closed,
  ),
  handle: async ({ targetTenantId, plan, legalHold }, { tenants }) => ({
    tenant: await tenants.change(targetTenantId, { plan, legalHold }),
  }),
})

export const suspend = defineRoute({
  ...one,
  name: 'tenants.suspend',
  description: 'Suspend a tenant, as the tool tenant_suspend does. Returns the tenant.',
  effect: 'write',
  rest: 'POST /api/tenants/:targetTenantId/suspend',
  input: Type.Object({ targetTenantId, reason: Type.Optional(Type.String({ maxLength: 500 })) }, closed),
  handle: async ({ targetTenantId, reason }, { tenants }) => ({ tenant: await tenants.suspend(targetTenantId, reason) }),
})

export const reactivate = defineRoute({
  ...one,
  name: 'tenants.reactivate',
  description: 'Make a tenant active again, as the tool tenant_reactivate does. Returns the tenant.',
  effect: 'write',
  rest: 'POST /api/tenants/:targetTenantId/reactivate',
  handle: async ({ targetTenantId }, { tenants }) => ({ tenant: await tenants.reactivate(targetTenantId) }),
})

export const requestErasure = defineRoute({
  ...one,
  name: 'tenants.request-erasure',
  description:
    'Open an erasure request; the tenant is erased when its grace window has passed. Asking again keeps the first request. Returns the tenant.',
  effect: 'destructive',
  rest: 'POST /api/tenants/:targetTenantId/erasure',
  handle: async ({ targetTenantId }, { tenants }) => ({ tenant: await tenants.requestErasure(targetTenantId) }),
})

export const cancelTenant = defineRoute({
  ...one,
  name: 'tenants.cancel',
  description:
    'Cancel a tenant: it is purged when its grace window has passed, unless it is reactivated. Cancelling again keeps the first time. Returns the tenant.',
  effect: 'destructive',
  rest: 'POST /api/tenants/:targetTenantId/cancel',
  handle: async ({ targetTenantId }, { tenants }) => ({ tenant: await tenants.cancel(targetTenantId) }),
})
