import { definePlugin } from '@gateway/sdk'
import { executions, machines, pastSessions, slotLeases, taskKeys, unmergedBranches } from './collections.ts'
import { slotsOfAgents } from './contributions/agent-activity.ts'
import { noLiveRunner, unmergedWait } from './contributions/attention.ts'
import { runnersPanel } from './contributions/fleet-panel.ts'
import { startRunner } from './contributions/getting-started.ts'
import { machineReading } from './contributions/metric-reading.ts'
import { retentionByHand } from './contributions/retention-runs.ts'
import { machineSearch } from './contributions/search-source.ts'
import { executionCounter } from './contributions/tasks-change.ts'
import { taskKeyCheck } from './contributions/token-check.ts'
import { retention } from './jobs/retention.ts'
import { executionsEnded, machinesByState } from './metrics.ts'
import { overview } from './pages/overview.ts'
import { runnersPage } from './pages/runners.ts'
import { issueTaskKey } from './routes/issue-key.ts'
import { runnersOutput } from './routes/output.ts'
import { revokeTaskKey } from './routes/revoke-key.ts'
import { runnersRuns } from './routes/runs.ts'
import { tellUnmerged } from './routes/tell-unmerged.ts'
import { runnersThroughput } from './routes/throughput.ts'
import { runnersUnmerged } from './routes/unmerged.ts'
import { addressesProvider } from './services/addresses.ts'
import { runnerHeartbeat } from './tools/runner-heartbeat.ts'
import { runnerLeaseAcquire } from './tools/runner-lease-acquire.ts'
import { runnerLeaseHeartbeat } from './tools/runner-lease-heartbeat.ts'
import { runnerLeaseHistory } from './tools/runner-lease-history.ts'
import { runnerLeaseList } from './tools/runner-lease-list.ts'
import { runnerLeaseRelease } from './tools/runner-lease-release.ts'
import { runnerLiveness } from './tools/runner-liveness.ts'
import { workerLaneStatus } from './tools/worker-lane-status.ts'

/**
 * Runners: the number of sessions that may run at once, the machines that are alive, the lanes that work. A session's life:
 *
 * 1. acquires a slot, while a free one exists or a stale one can be reclaimed;
 * 2. extends it by heartbeats;
 * 3. ends, into the history: released by its holder, reclaimed after it expired, or given up because the account changed.
 */
export default definePlugin({
  id: 'runners',
  sdk: '^1.0.0',
  description: 'Runner slots, the liveness of runner machines, and the state of the execution lanes.',
  collections: [slotLeases, pastSessions, machines, executions, taskKeys, unmergedBranches],
  tools: [
    runnerLeaseAcquire,
    runnerLeaseHeartbeat,
    runnerLeaseRelease,
    runnerLeaseList,
    runnerLeaseHistory,
    runnerHeartbeat,
    runnerLiveness,
    workerLaneStatus,
  ],
  jobs: [retention],
  metrics: [machinesByState, executionsEnded],
  provides: [addressesProvider],
  contributes: [
    machineSearch,
    startRunner,
    retentionByHand,
    executionCounter,
    runnersPanel,
    slotsOfAgents,
    noLiveRunner,
    unmergedWait,
    taskKeyCheck,
    machineReading,
  ],
  routes: [runnersThroughput, runnersRuns, runnersOutput, issueTaskKey, revokeTaskKey, tellUnmerged, runnersUnmerged],
  pages: [runnersPage],
  overview,
})
