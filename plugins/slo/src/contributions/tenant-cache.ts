import { contribute, tenantCache } from '@gateway/sdk'
import { meters } from '../services/meters.ts'

/** Without this, figures of a tenant's calls would stay until the process ends. */
export const figuresOfTenant = contribute(tenantCache, {
  uses: { meters },
  create: ({ meters }) => ({ forget: (tenantId) => meters.forget(tenantId) }),
})
