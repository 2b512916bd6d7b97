import { contribute, tenantCache } from '@gateway/sdk'
import { tallies } from '../services/tallies.ts'

/** Counts of a tenant that has ended are dropped: stored later, they would outlast the proof of its removal. */
export const talliesOfTenant = contribute(tenantCache, {
  uses: { tallies },
  create: ({ tallies }) => ({ forget: (tenantId) => tallies.forget(tenantId) }),
})
