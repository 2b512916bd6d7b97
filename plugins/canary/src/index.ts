import { definePlugin } from '@gateway/sdk'
import { states } from './collections.ts'
import { config } from './config.ts'
import { run } from './jobs/run.ts'
import { canaryStatus } from './tools/canary-status.ts'

/**
 * Tries what users do before they find that it does not work. A run:
 *
 * 1. Signup: the synthetic tenant exists and gets a key.
 * 2. Dispatch: a task is put into its queue.
 * 3. Pickup: a runner claims it, like `tasks_claim`.
 * 4. Ship: the task goes to review, then to done.
 * 5. Its tasks are removed, and the duration of each stage is kept; a failing or slow stage raises an alert.
 *
 * Stages are calls on the call path, in a tenant that is left out of lists, scopes and metrics.
 */
export default definePlugin({
  id: 'canary',
  sdk: '^1.0.0',
  description: 'Regularly signs up, dispatches, claims and ships a task, and alerts when that fails or is slow.',
  config,
  collections: [states],
  tools: [canaryStatus],
  jobs: [run],
})
