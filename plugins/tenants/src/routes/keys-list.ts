import { closed, defineRoute, Type, tenantAdmin } from '@gateway/sdk'
import { KeysResult } from '../schema.ts'

export const listOwnKeys = defineRoute({
  name: 'keys.list',
  description:
    'List the API keys of your tenant, oldest first, with label, role, and the times of creation, last use and expiry; never the keys themselves. Needs the capability members.',
  capability: 'members',
  effect: 'read',
  rest: 'GET /api/keys',
  input: Type.Object({}, closed),
  output: KeysResult,
  uses: { tenants: tenantAdmin },
  async handle(_, { tenants }, ctx) {
    const keys = [...(await tenants.listKeys(ctx.tenantId))]
    return { count: keys.length, keys }
  },
})
