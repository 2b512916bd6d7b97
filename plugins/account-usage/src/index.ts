import { definePlugin } from '@gateway/sdk'
import { accounts, assets, buckets, hours, readings } from './collections.ts'
import { retentionsByHand } from './contributions/retention-runs.ts'
import { headroomOfAccounts } from './contributions/runners-account-headroom.ts'
import { bucketRetention } from './jobs/bucket-retention.ts'
import { hourRetention } from './jobs/hour-retention.ts'
import { readingRetention } from './jobs/reading-retention.ts'
import { accountsPage } from './pages/accounts.ts'
import { accountUsageRecord } from './tools/account-usage-record.ts'
import { accountUsageStatus } from './tools/account-usage-status.ts'

/**
 * Quotas of accounts with model providers, as agents' machines report them. Life of the data:
 *
 * 1. Recorded: tokens by hour, percentages that a provider has shown, and assets; sent again, they replace the earlier ones.
 * 2. Added up: the tokens of an account's hours, in the same step.
 * 3. Shown: each window's percentage, from the last reading and the tokens since, or from tokens alone; with advice.
 * 4. Removed after 90 days. Accounts and assets stay.
 */
export default definePlugin({
  id: 'account-usage',
  sdk: '^1.0.0',
  description: 'Records the share of the 5-hour and weekly quotas that each account with a model provider has used.',
  collections: [accounts, buckets, hours, readings, assets],
  tools: [accountUsageRecord, accountUsageStatus],
  jobs: [bucketRetention, hourRetention, readingRetention],
  contributes: [headroomOfAccounts, ...retentionsByHand],
  pages: [accountsPage],
})
