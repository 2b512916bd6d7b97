import { definePlugin } from '@gateway/sdk'
import { config } from './config.ts'
import { observer } from './contributions/call-observer.ts'
import { figuresOfTenant } from './contributions/tenant-cache.ts'
import { metersProvider } from './services/meters.ts'
import { perfStats } from './tools/perf-stats.ts'
import { sloStatus } from './tools/slo-status.ts'

/**
 * Durations of calls, and objectives for them. Life of a call's figures:
 *
 * 1. Observed when it has ended, on any transport: one path, one observer.
 * 2. Added to the histograms of its tool, of its tool in its tenant, and of its tool within the window of the objectives.
 * 3. If it was slow, written into the slow-call log.
 * 4. Checked against the objectives, every quarter of a minute; a route that begins to break them raises an alert.
 *
 * Everything is in the memory of one process, bounded, and starts empty with it.
 */
export default definePlugin({
  id: 'slo',
  sdk: '^1.0.0',
  description: 'Measures how long the calls of each tool take, and alerts when they break their service level objectives.',
  config,
  tools: [perfStats, sloStatus],
  provides: [metersProvider],
  contributes: [observer, figuresOfTenant],
})
