import { contribute, tenantMemory } from '@gateway/sdk'
import { host } from '../operations/host.ts'

/** The last decisions and dropped hops of a tenant that has ended are dropped: the operator would go on seeing its agents’ names. */
export const journalOfTenant = contribute(tenantMemory, {
  uses: { host },
  create: ({ host }) => ({ forget: (tenantId) => host.journal.forget(tenantId) }),
})
