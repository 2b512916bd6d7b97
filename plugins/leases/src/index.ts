import { definePlugin } from '@gateway/sdk'
import { fences, leases } from './collections.ts'
import { leaseReading } from './contributions/metric-reading.ts'
import { acquisitions, held } from './metrics.ts'
import { leasesPage } from './pages/leases.ts'
import { leaseProvider } from './services/leases.ts'
import { leaseAcquire } from './tools/lease-acquire.ts'
import { leaseHeartbeat } from './tools/lease-heartbeat.ts'
import { leaseList } from './tools/lease-list.ts'
import { leaseRelease } from './tools/lease-release.ts'

/**
 * Named locks that end by themselves. A lease’s life:
 *
 * 1. acquired while its key is free: epoch 1 and a new fence;
 * 2. extended by heartbeats of its holder, epoch and fence unchanged;
 * 3. released, and the key is free;
 * 4. or run out: the next who asks takes it over, with the epoch after it and a new fence. Until then it is its holder’s
 *    to extend, but nothing may be written under it;
 * 5. or run out and asked for by nobody: forgotten 30 days later, and the key is free.
 */
export default definePlugin({
  id: 'leases',
  sdk: '^1.0.0',
  description: 'Named leases with epochs and fences: locks that end by themselves.',
  collections: [leases, fences],
  tools: [leaseAcquire, leaseHeartbeat, leaseRelease, leaseList],
  metrics: [held, acquisitions],
  provides: [leaseProvider],
  contributes: [leaseReading],
  pages: [leasesPage],
})
