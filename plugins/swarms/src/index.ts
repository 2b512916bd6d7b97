import { definePlugin } from '@gateway/sdk'
import { swarms } from './collections.ts'
import { config } from './config.ts'
import { approvals } from './contributions/attention.ts'
import { swarmReading } from './contributions/metric-reading.ts'
import { retentionByHand } from './contributions/retention-runs.ts'
import { swarmSearch } from './contributions/search-source.ts'
import { childChanges } from './contributions/tasks-change.ts'
import { retention } from './jobs/retention.ts'
import { byStatus } from './metrics.ts'
import { swarmApproved, swarmPlanned, swarmStopped } from './operations/news.ts'
import { swarmPage } from './pages/swarm.ts'
import { swarmsPage } from './pages/swarms.ts'
import { swarmResource } from './resources/swarm.ts'
import { swarmApprove } from './tools/swarm-approve.ts'
import { swarmGet } from './tools/swarm-get.ts'
import { swarmList } from './tools/swarm-list.ts'
import { swarmPlan } from './tools/swarm-plan.ts'
import { swarmStop } from './tools/swarm-stop.ts'
import { swarmUpdateBudget } from './tools/swarm-update-budget.ts'

/**
 * Groups of tasks behind one approval. Life of a swarm:
 *
 * 1. Planned: it and its children are written together, the children paused; it is planning meanwhile, then paused.
 * 2. Approved: active, and its paused children pending.
 * 3. Paused by its budget, or stopped by someone: its open children are paused; an approval resumes it.
 * 4. Done: a read finds all its children finished.
 * 5. Removed, once it has been done or stopped for its retention time.
 *
 * While it is not active, none of its children is pending.
 */
export default definePlugin({
  id: 'swarms',
  sdk: '^1.0.0',
  description: 'Groups of tasks that run after one approval, with a token budget.',
  config,
  collections: [swarms],
  events: [swarmPlanned, swarmApproved, swarmStopped],
  tools: [swarmPlan, swarmApprove, swarmStop, swarmList, swarmGet, swarmUpdateBudget],
  jobs: [retention],
  metrics: [byStatus],
  contributes: [swarmSearch, childChanges, swarmReading, approvals, retentionByHand],
  resources: [swarmResource],
  pages: [swarmsPage, swarmPage],
})
