import { definePlugin } from '@gateway/sdk'
import { config } from './config.ts'
import { eveningSweep } from './tools/evening-sweep.ts'
import { morningSweep } from './tools/morning-sweep.ts'

/**
 * Two reports a day for the person who leads the fleet. It keeps nothing. Life of a report:
 *
 * 1. Begun by a schedule (`schedules_seed` creates them, at 09:00 and 18:00 UTC) or by hand.
 * 2. Composed from what the tools of other families return to its caller; parts that a family cannot deliver are left out and
 *    named.
 * 3. Sent to a chat, if there is one, and returned.
 */
export default definePlugin({
  id: 'sweeps',
  sdk: '^1.0.0',
  description: 'A morning and an evening report in Markdown: open work, completed work, its cost, and the next tasks.',
  config,
  tools: [morningSweep, eveningSweep],
})
