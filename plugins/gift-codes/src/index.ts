import { definePlugin } from '@gateway/sdk'
import { giftCodes, redemptions } from './collections.ts'
import { redeemedByTenant } from './contributions/tenant-mentions.ts'
import { settleJob } from './jobs/settle.ts'
import { licenseStatus } from './routes/license-status.ts'
import { list } from './routes/list.ts'
import { mint } from './routes/mint.ts'
import { redeemRoute } from './routes/redeem.ts'

/**
 * Codes that raise a tenant's plan. Life of a code:
 *
 * 1. Minted by the operator, who sees it only then: its hash is kept, for all tenants.
 * 2. Requested by a tenant that gains by it: the redemption is in the tenant, pending.
 * 3. Taken, on the condition that nobody has it; then the plan is raised, then the redemption is done. Leftovers of a crash are
 *    finished within a minute.
 * 4. Or not redeemed before its day, and void.
 */
export default definePlugin({
  id: 'gift-codes',
  sdk: '^1.0.0',
  description: 'Codes that raise the plan of a tenant, once each.',
  collections: [giftCodes, redemptions],
  contributes: [redeemedByTenant],
  routes: [mint, list, redeemRoute, licenseStatus],
  jobs: [settleJob],
})
