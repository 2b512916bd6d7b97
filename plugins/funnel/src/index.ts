import { definePlugin } from '@gateway/sdk'
import { journeys } from './collections.ts'
import { shipped } from './contributions/tasks-change.ts'
import { onBegan } from './listeners/tenant-began.ts'
import { activationProvider } from './services/activation.ts'
import { activationFunnel } from './tools/activation-funnel.ts'

/**
 * Progress of tenants. Journey of a tenant:
 *
 * 1. signup: its record has the time.
 * 2. init: the first call that could change something.
 * 3. first_brain_boot, first_brain_delta, wrapup_merge: recorded by the brain family through the service `activation`.
 * 4. first_task_shipped, retained: a task is done for the first time, and one is a week or more after the sign-up.
 *
 * Only actual events are recorded, once, with their time.
 */
export default definePlugin({
  id: 'funnel',
  sdk: '^1.0.0',
  description: 'Shows how far tenants come from sign-up to first use, from recorded actions, and where they drop off.',
  collections: [journeys],
  tools: [activationFunnel],
  provides: [activationProvider],
  contributes: [shipped],
  on: [onBegan],
})
