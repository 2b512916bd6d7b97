import { definePlugin } from '@gateway/sdk'
import { states } from './collections.ts'
import { config } from './config.ts'
import { run } from './jobs/run.ts'
import { canaryStatus } from './tools/canary-status.ts'

/**
 * Tries by itself what users do, before they find that it does not work. A run:
 *
 * 1. signup: the synthetic tenant is there, and gets a key;
 * 2. dispatch: a task is put into its queue;
 * 3. pickup: a runner claims it, as `tasks_claim` does for any;
 * 4. ship: the task goes to review, then to done;
 * 5. its tasks are removed, and how long each stage took is kept; a stage that fails or is slow is told of.
 *
 * Stages are calls on the one path, in a tenant that no list, reach or figure has.
 */
export default definePlugin({
  id: 'canary',
  sdk: '^1.0.0',
  description: 'Signs up, dispatches, claims and ships a task by itself, and alerts when that fails or is slow.',
  config,
  collections: [states],
  tools: [canaryStatus],
  jobs: [run],
})
