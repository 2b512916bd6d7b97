import { definePlugin } from '@gateway/sdk'
import { dispatchCycled } from './api.ts'
import { offers, quotas, results } from './collections.ts'
import { config } from './config.ts'
import { unservedTasks } from './contributions/attention.ts'
import { offersOfChanged } from './contributions/tasks-change.ts'
import { agentsHere } from './contributions/tasks-reserved-agents.ts'
import { offersOfTaken } from './contributions/tasks-taken.ts'
import { runHereJob } from './jobs/here.ts'
import { onCheckFailed } from './listeners/tasks-check-failed.ts'
import { onTaskReviewed } from './listeners/tasks-reviewed.ts'
import { hereTurnsProvider } from './services/here-turns.ts'
import { dispatchCycle } from './tools/dispatch-cycle.ts'
import { dispatchDelegate } from './tools/dispatch-delegate.ts'
import { dispatchHere } from './tools/dispatch-here.ts'
import { inlineExecute } from './tools/inline-execute.ts'
import { mailClaimAsTask } from './tools/mail-claim-as-task.ts'
import { mailTaskResult } from './tools/mail-task-result.ts'

/** Hands work out as a task, a swarm or a request by mail, and turns requests by mail into tasks. */
export default definePlugin({
  id: 'dispatch',
  sdk: '^1.0.0',
  description: 'Hands work to its workers: tasks, swarms, requests by mail.',
  config,
  collections: [offers, quotas, results],
  events: [dispatchCycled],
  on: [onCheckFailed, onTaskReviewed],
  tools: [dispatchDelegate, mailClaimAsTask, mailTaskResult, dispatchCycle, dispatchHere, inlineExecute],
  jobs: [runHereJob],
  provides: [hereTurnsProvider],
  contributes: [offersOfTaken, offersOfChanged, agentsHere, unservedTasks],
})
