import { contribute, tenantMemory } from '@gateway/sdk'
import { meters } from '../services/meters.ts'

/** Figures of a tenant’s calls stay until the process ends. */
export const figuresOfTenant = contribute(tenantMemory, {
  uses: { meters },
  create: ({ meters }) => ({ forget: (tenantId) => meters.forget(tenantId) }),
})
