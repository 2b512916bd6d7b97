import { contribute, tenantMemory } from '@gateway/sdk'
import { meters } from '../services/meters.ts'

/** Without this, figures of a tenant's calls would stay until the process ends. */
export const figuresOfTenant = contribute(tenantMemory, {
  uses: { meters },
  create: ({ meters }) => ({ forget: (tenantId) => meters.forget(tenantId) }),
})
