import { contribute, tenantCache } from '@gateway/sdk'
import { pool } from '../operations/provider-pool.ts'

/** Drops the recent decisions and hops of an ended tenant; otherwise the operator would still see its agents' names. */
export const journalOfTenant = contribute(tenantCache, {
  uses: { pool },
  create: ({ pool }) => ({ forget: (tenantId) => pool.journal.forget(tenantId) }),
})
