import { definePlugin } from '@gateway/sdk'
import { blocks, edges, histories, streaks, tasks } from './collections.ts'
import { config } from './config.ts'
import { deadLettersWait } from './contributions/attention.ts'
import { bootSummary } from './contributions/boot-section.ts'
import { queueReading } from './contributions/metric-reading.ts'
import { retentionByHand } from './contributions/retention-runs.ts'
import { trashedTasks } from './contributions/trash-kind.ts'
import { pullRequests } from './contributions/webhooks-code-hosting.ts'
import { leaseReap } from './jobs/lease-reap.ts'
import { retention } from './jobs/retention.ts'
import { setBack } from './jobs/set-back.ts'
import { byStatus, claims, deadLetters, oldestReady, retries } from './metrics.ts'
import { taskCreated, taskMoved } from './operations/news.ts'
import { taskPage } from './pages/task.ts'
import { tasksPage } from './pages/tasks.ts'
import { tasksCounts } from './routes/counts.ts'
import { tasksGet } from './routes/get.ts'
import { tasksHistory } from './routes/history.ts'
import { figuresProvider } from './services/figures.ts'
import { promotionTimesProvider } from './services/promotion-times.ts'
import { queueProvider } from './services/queue.ts'
import { taskLeaseReap } from './tools/task-lease-reap.ts'
import { tasksBulk } from './tools/tasks-bulk.ts'
import { tasksClaim } from './tools/tasks-claim.ts'
import { tasksCreate } from './tools/tasks-create.ts'
import { tasksDelete } from './tools/tasks-delete.ts'
import { tasksFail } from './tools/tasks-fail.ts'
import { tasksList } from './tools/tasks-list.ts'
import { tasksNext } from './tools/tasks-next.ts'
import { tasksRestore } from './tools/tasks-restore.ts'
import { tasksUpdate } from './tools/tasks-update.ts'

/**
 * The task queue. A task’s life:
 *
 * 1. created pending: in the queue as ready, waiting (for upstreams), or delayed (until `nextRetryAt`);
 * 2. claimed: working, with a lease and a `claimId` that fences off whoever had it before;
 * 3. ended by its worker: done, review, blocked, or back to pending; or failed, or its lease ran out: pending again
 *    after a backoff, at last dead_letter;
 * 4. done: its dependents are let go in the same transaction;
 * 5. removed to the trash and perhaps restored, from any status but working;
 * 6. gone for good when it has been done, blocked or dead_letter for the time it is kept.
 */
export default definePlugin({
  id: 'tasks',
  sdk: '^1.0.0',
  description: 'The task queue: claims, leases, retries, dead letter, dependencies.',
  config,
  collections: [tasks, edges, histories, blocks, streaks],
  events: [taskCreated, taskMoved],
  tools: [tasksList, tasksCreate, tasksUpdate, tasksNext, tasksClaim, tasksFail, tasksDelete, tasksRestore, tasksBulk, taskLeaseReap],
  routes: [tasksGet, tasksHistory, tasksCounts],
  pages: [tasksPage, taskPage],
  jobs: [leaseReap, setBack, retention],
  metrics: [byStatus, oldestReady, claims, retries, deadLetters],
  provides: [promotionTimesProvider, queueProvider, figuresProvider],
  contributes: [bootSummary, trashedTasks, retentionByHand, queueReading, pullRequests, deadLettersWait],
})
