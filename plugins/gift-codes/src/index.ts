import { definePlugin } from '@gateway/sdk'
import { giftCodes, redemptions } from './collections.ts'
import { redeemedByTenant } from './contributions/tenant-mentions.ts'
import { settleJob } from './jobs/settle.ts'
import { licenseStatus } from './routes/license-status.ts'
import { list } from './routes/list.ts'
import { mint } from './routes/mint.ts'
import { redeemRoute } from './routes/redeem.ts'

/**
 * Codes that raise a tenant’s plan. The life of one:
 *
 * 1. minted by the operator, who sees it this once: its hash is kept, for all tenants;
 * 2. asked for by a tenant that gains by it: the redemption stands in the tenant, pending;
 * 3. taken, on the condition that nobody has it; then the plan is raised, then the redemption is done. What a crash leaves is finished
 *    within a minute;
 * 4. or not redeemed before its day, and good for nothing.
 */
export default definePlugin({
  id: 'gift-codes',
  sdk: '^1.0.0',
  description: 'Codes that raise the plan of a tenant, once.',
  collections: [giftCodes, redemptions],
  contributes: [redeemedByTenant],
  routes: [mint, list, redeemRoute, licenseStatus],
  jobs: [settleJob],
})
