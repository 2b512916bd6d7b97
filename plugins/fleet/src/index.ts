import { definePlugin } from '@gateway/sdk'
import { runs, windows } from './collections.ts'
import { retentionByHand } from './contributions/retention-runs.ts'
import { maintenanceGate } from './contributions/tasks-claim-gate.ts'
import { retention } from './jobs/retention.ts'
import { maintenancePage } from './pages/maintenance.ts'
import { overview } from './pages/overview.ts'
import { runPage } from './pages/run.ts'
import { runsPage } from './pages/runs.ts'
import { fleetRunGet } from './routes/run.ts'
import { fleetMaintenanceEnter } from './tools/fleet-maintenance-enter.ts'
import { fleetMaintenanceExit } from './tools/fleet-maintenance-exit.ts'
import { fleetOverview } from './tools/fleet-overview.ts'
import { fleetRunFinish } from './tools/fleet-run-finish.ts'
import { fleetRunLatest } from './tools/fleet-run-latest.ts'
import { fleetRunList } from './tools/fleet-run-list.ts'
import { fleetRunRepoUpdate } from './tools/fleet-run-repo-update.ts'
import { fleetRunStart } from './tools/fleet-run-start.ts'

/**
 * The fleet as a whole: its claim pauses, the results of its runs over many repos, its state. A run's life:
 *
 * 1. started, with the known state of each repo; it replaces a run of the same id;
 * 2. running: its repos report their progress independently;
 * 3. finished, completed or aborted; from then on it does not change;
 * 4. deleted, 90 days after its start.
 */
export default definePlugin({
  id: 'fleet',
  sdk: '^1.0.0',
  description: 'Fleet maintenance, fleet runs, and the overview of the fleet.',
  collections: [windows, runs],
  tools: [
    fleetRunStart,
    fleetRunRepoUpdate,
    fleetRunFinish,
    fleetRunLatest,
    fleetRunList,
    fleetMaintenanceEnter,
    fleetMaintenanceExit,
    fleetOverview,
  ],
  routes: [fleetRunGet],
  jobs: [retention],
  contributes: [retentionByHand, maintenanceGate],
  pages: [maintenancePage, runsPage, runPage],
  overview,
})
