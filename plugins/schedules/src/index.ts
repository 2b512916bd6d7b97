import { definePlugin } from '@gateway/sdk'
import { scheduleRan } from './api.ts'
import { deliveries, runs, schedules } from './collections.ts'
import { config } from './config.ts'
import { endedSchedules, failedSchedules } from './contributions/attention.ts'
import { schedulesPanel } from './contributions/fleet-panel.ts'
import { scheduleFigures } from './contributions/health-figures.ts'
import { schedulesOfKeys } from './contributions/made-with-keys.ts'
import { scheduleSearch } from './contributions/search-source.ts'
import { deliverLeft } from './jobs/deliver.ts'
import { lostRuns } from './jobs/lost-runs.ts'
import { setBack } from './jobs/set-back.ts'
import { tick } from './jobs/tick.ts'
import { overview } from './pages/overview.ts'
import { schedulePage } from './pages/schedule.ts'
import { schedulesPage } from './pages/schedules.ts'
import { scheduleRunsResource } from './resources/schedule-runs.ts'
import { getSchedule } from './routes/get.ts'
import { scheduleRuns } from './routes/runs.ts'
import { runSlotsProvider } from './services/run-slots.ts'
import { schedulesCreate } from './tools/schedules-create.ts'
import { schedulesDelete } from './tools/schedules-delete.ts'
import { schedulesList } from './tools/schedules-list.ts'
import { schedulesRunNow } from './tools/schedules-run-now.ts'
import { schedulesSeed } from './tools/schedules-seed.ts'
import { schedulesUpdate } from './tools/schedules-update.ts'
import { standingAgentsStatus } from './tools/standing-agents-status.ts'

/**
 * Runs tool calls on a schedule. A run's life:
 *
 * 1. due: `nextRun` is over, the schedule is enabled, and no run of it is under way;
 * 2. taken: of all processes that see it, the one that moves `nextRun` marks it as under way, until a lease;
 * 3. carried out: one call of a tool, as the principal who answers for the schedule. When that is an API key that was revoked or
 *    has ended, the schedule ends with it: it is disabled, with the reason as a run, and waits in the attention queue;
 * 4. ended: `lastRun`, `lastStatus`, `lastError` describe the outcome, and the run is kept with its result, among the latest 100;
 * 5. delivered: the result is mailed in the same commit, or enqueued there and sent to its channel afterwards, again with growing delays
 *    while it may work later, and by another process if this one stops; a result that is given up raises an alert;
 * 6. or lost: its process is gone, or its lease is over. This is recorded as an error, and the run is not repeated.
 */
export default definePlugin({
  id: 'schedules',
  sdk: '^1.0.0',
  description: 'Runs agents, skills and tools on cron schedules.',
  config,
  collections: [schedules, runs, deliveries],
  events: [scheduleRan],
  tools: [schedulesList, schedulesCreate, schedulesUpdate, schedulesRunNow, schedulesDelete, schedulesSeed, standingAgentsStatus],
  routes: [getSchedule, scheduleRuns],
  resources: [scheduleRunsResource],
  jobs: [tick, lostRuns, setBack, deliverLeft],
  provides: [runSlotsProvider],
  contributes: [scheduleSearch, failedSchedules, endedSchedules, scheduleFigures, schedulesPanel, schedulesOfKeys],
  pages: [schedulesPage, schedulePage],
  overview,
})
