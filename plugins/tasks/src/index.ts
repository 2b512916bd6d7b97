import { definePlugin } from '@gateway/sdk'
import { checkFailed, taskReviewed } from './api.ts'
import { blocks, edges, histories, pullRequestEnds, samples, streaks, tasks } from './collections.ts'
import { config } from './config.ts'
import { workOfAgents } from './contributions/agent-activity.ts'
import { blockedWait, deadLettersWait, reviewsWait } from './contributions/attention.ts'
import { bootSummary } from './contributions/boot-section.ts'
import { createTask } from './contributions/getting-started.ts'
import { queueReading } from './contributions/metric-reading.ts'
import { workInRepos } from './contributions/repo-activity.ts'
import { retentionByHand } from './contributions/retention-runs.ts'
import { taskSearch } from './contributions/search-source.ts'
import { trashedTasks } from './contributions/trash-kind.ts'
import { pullRequests } from './contributions/webhooks-code-hosting.ts'
import { audiences } from './jobs/audiences.ts'
import { claimNews } from './jobs/claim-news.ts'
import { leaseReap } from './jobs/lease-reap.ts'
import { pullRequestKeys } from './jobs/pull-request-keys.ts'
import { retention } from './jobs/retention.ts'
import { sample } from './jobs/sample.ts'
import { setBack } from './jobs/set-back.ts'
import { byStatus, claims, deadLetters, oldestReady, retries } from './metrics.ts'
import { taskClaimable } from './operations/claimable.ts'
import { taskClaimed, taskCreated, taskFailed, taskMoved } from './operations/news.ts'
import { overview } from './pages/overview.ts'
import { taskPage } from './pages/task.ts'
import { tasksPage } from './pages/tasks.ts'
import { taskResource } from './resources/task.ts'
import { historyResource } from './resources/task-history.ts'
import { tasksAtWork } from './routes/at-work.ts'
import { claimForRunner } from './routes/claim-for-runner.ts'
import { tasksCounts } from './routes/counts.ts'
import { tasksGet } from './routes/get.ts'
import { tasksHistory } from './routes/history.ts'
import { tasksMove } from './routes/move.ts'
import { tasksPutBack } from './routes/put-back.ts'
import { tasksSendBack } from './routes/send-back.ts'
import { figuresProvider } from './services/figures.ts'
import { gatesProvider } from './services/gates.ts'
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
 * The task queue. Life of a task:
 *
 * 1. Created pending: in the queue as ready, waiting (for upstreams), or delayed (until `nextRetryAt`).
 * 2. Claimed: working, with a lease and a `claimId` that fences off its previous holder.
 * 3. Ended by its worker: done, review, blocked, or back to pending. A failed task, or one whose lease expired, is pending
 *    again after a backoff, and at last dead_letter.
 * 4. In review until a person accepts it or sends it back, or its pull request is merged or closed.
 * 5. Done: its dependents are released in the same transaction.
 * 6. Removed to the trash and perhaps restored, from any status but working.
 * 7. Removed for good when it has been done, blocked or dead_letter for its retention time.
 */
export default definePlugin({
  id: 'tasks',
  sdk: '^1.0.0',
  description: 'The task queue: claims, leases, retries, dead letter, dependencies.',
  config,
  collections: [tasks, edges, histories, blocks, streaks, samples, pullRequestEnds],
  events: [taskCreated, taskMoved, taskClaimable, checkFailed, taskReviewed, taskClaimed, taskFailed],
  tools: [tasksList, tasksCreate, tasksUpdate, tasksNext, tasksClaim, tasksFail, tasksDelete, tasksRestore, tasksBulk, taskLeaseReap],
  routes: [tasksGet, tasksHistory, tasksCounts, tasksAtWork, tasksSendBack, tasksMove, tasksPutBack, claimForRunner],
  resources: [taskResource, historyResource],
  pages: [tasksPage, taskPage],
  overview,
  jobs: [claimNews, leaseReap, setBack, sample, retention, pullRequestKeys, audiences],
  metrics: [byStatus, oldestReady, claims, retries, deadLetters],
  provides: [promotionTimesProvider, queueProvider, figuresProvider, gatesProvider],
  contributes: [
    taskSearch,
    createTask,
    bootSummary,
    trashedTasks,
    retentionByHand,
    queueReading,
    pullRequests,
    deadLettersWait,
    workOfAgents,
    workInRepos,
    reviewsWait,
    blockedWait,
  ],
})
