import { definePlugin } from '@gateway/sdk'
import { endings, snapshots } from './collections.ts'
import { config } from './config.ts'
import { hourly } from './jobs/hourly.ts'
import { revenuePage } from './pages/revenue.ts'
import { revenueRoute } from './routes/revenue.ts'
import { turnsProvider } from './services/turns.ts'
import { cancellationPurgeSweep } from './tools/cancellation-purge-sweep.ts'
import { dataRetentionPurge } from './tools/data-retention-purge.ts'
import { erasureSweep } from './tools/erasure-sweep.ts'
import { mrrSnapshotSweep } from './tools/mrr-snapshot-sweep.ts'

/**
 * End of retention periods, and the end of a tenant:
 *
 * 1. Requested by the operator (`POST /api/tenants/{tenantId}/erasure`, `…/cancel`, of the tenants family); a cancellation can be
 *    withdrawn.
 * 2. After its grace time the tenant is deleted, unless it is under legal hold: its record is a tombstone, its callers are
 *    refused.
 * 3. Its data is counted, and removed in batches; after a crash the next sweep continues.
 * 4. The files of the store are rewritten, and the proof is in the operator's audit trail, once.
 * 5. For two days its data is searched for again, because a call that was under way may have written after all.
 */
export default definePlugin({
  id: 'tenant-end',
  sdk: '^1.0.0',
  description: 'Retention of all families, and the end of tenants: erasure and cancellation, with a proof that no data is left.',
  config,
  collections: [endings, snapshots],
  tools: [dataRetentionPurge, mrrSnapshotSweep, erasureSweep, cancellationPurgeSweep],
  routes: [revenueRoute],
  pages: [revenuePage],
  provides: [turnsProvider],
  jobs: [hourly],
})
