import { contribute, tenantMemory } from '@gateway/sdk'
import { host } from '../operations/host.ts'

/** Drops the recent decisions and hops of an ended tenant; otherwise the operator would still see its agents' names. */
export const journalOfTenant = contribute(tenantMemory, {
  uses: { host },
  create: ({ host }) => ({ forget: (tenantId) => host.journal.forget(tenantId) }),
})
