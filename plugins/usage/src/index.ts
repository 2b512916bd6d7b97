import { definePlugin } from '@gateway/sdk'
import { counts } from './collections.ts'
import { config } from './config.ts'
import { meter } from './contributions/call-observer.ts'
import { retentionsByHand } from './contributions/retention-runs.ts'
import { talliesOfTenant } from './contributions/tenant-cache.ts'
import { dayRetention } from './jobs/day-retention.ts'
import { hourRetention } from './jobs/hour-retention.ts'
import { usagePage } from './pages/usage.ts'
import { breakdownRoute } from './routes/breakdown.ts'
import { summaryRoute } from './routes/summary.ts'
import { talliesProvider } from './services/tallies.ts'
import { usageSummary } from './tools/usage-summary.ts'

/**
 * Usage of the product by tenant. Life of a count:
 *
 * 1. A served call is added to its tenant's tally of the hour, in memory: by type, tool, member and repo.
 * 2. Every `flushSeconds`, and when the gateway stops, tallies are added to the counts of their hour and their day.
 * 3. Tallies of a tenant that has ended are dropped.
 * 4. Hours are removed after `keepHoursDays`, days after `keepDays`.
 */
export default definePlugin({
  id: 'usage',
  sdk: '^1.0.0',
  description: 'Product usage of a tenant: calls by type, tool, member, repo and day.',
  config,
  collections: [counts],
  tools: [usageSummary],
  routes: [summaryRoute, breakdownRoute],
  provides: [talliesProvider],
  contributes: [meter, talliesOfTenant, ...retentionsByHand],
  jobs: [hourRetention, dayRetention],
  pages: [usagePage],
})
