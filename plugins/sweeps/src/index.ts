import { definePlugin } from '@gateway/sdk'
import { config } from './config.ts'
import { eveningSweep } from './tools/evening-sweep.ts'
import { morningSweep } from './tools/morning-sweep.ts'

/**
 * Two reports a day for the person who leads the fleet. It keeps nothing; a report’s life:
 *
 * 1. begun by a schedule (`schedules_seed` makes them, at 09:00 and 18:00 UTC) or by hand;
 * 2. put together from what the tools of other families say to its caller; what a family cannot say is left out, and named;
 * 3. sent to a chat, if there is one, and returned.
 */
export default definePlugin({
  id: 'sweeps',
  sdk: '^1.0.0',
  description: 'A morning and an evening report in Markdown: what waits, what was done, what it cost, what comes next.',
  config,
  tools: [morningSweep, eveningSweep],
})
