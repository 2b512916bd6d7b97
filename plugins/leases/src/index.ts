import { definePlugin } from '@gateway/sdk'
import { fences, leases } from './collections.ts'
import { leasesOfAgents } from './contributions/agent-activity.ts'
import { leaseReading } from './contributions/metric-reading.ts'
import { acquisitions, held } from './metrics.ts'
import { leasesPage } from './pages/leases.ts'
import { leaseProvider } from './services/leases.ts'
import { leaseAcquire } from './tools/lease-acquire.ts'
import { leaseHeartbeat } from './tools/lease-heartbeat.ts'
import { leaseList } from './tools/lease-list.ts'
import { leaseRelease } from './tools/lease-release.ts'

/**
 * Named locks with an expiry. Life of a lease:
 *
 * 1. Acquired while its key is free: epoch 1 and a new fence.
 * 2. Extended by heartbeats of its holder; epoch and fence stay.
 * 3. Released: the key is free.
 * 4. Or expired: the next caller takes it over, with the next epoch and a new fence. Until then its holder may extend it, but
 *    nothing may be written under it.
 * 5. Or expired and not asked for: removed 30 days later, and the key is free.
 */
export default definePlugin({
  id: 'leases',
  sdk: '^1.0.0',
  description: 'Named leases with epochs and fences: locks that expire on their own.',
  collections: [leases, fences],
  tools: [leaseAcquire, leaseHeartbeat, leaseRelease, leaseList],
  metrics: [held, acquisitions],
  provides: [leaseProvider],
  contributes: [leaseReading, leasesOfAgents],
  pages: [leasesPage],
})
