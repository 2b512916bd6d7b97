import { defineCollection, tenantSchema } from '@gateway/sdk'

export const tenants = defineCollection('gateway.tenants', { schema: tenantSchema, key: 'tenantId' })
