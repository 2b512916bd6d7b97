import { definePlugin } from '@gateway/sdk'
import { meters } from './collections.ts'
import { config } from './config.ts'
import { planPage } from './pages/plan.ts'
import { planProvider } from './services/plan.ts'
import { entitlementsStatus } from './tools/entitlements-status.ts'

/**
 * What a tenant’s plan allows. One table says it, in rules/plans.ts; the settings may say otherwise.
 *
 * 1. A family asks the service before it lets a gated feature through, or takes from what a month has.
 * 2. What is used up by the month is kept here; how many repos and seats there are, other families say.
 */
export default definePlugin({
  id: 'entitlements',
  sdk: '^1.0.0',
  description: 'What a tenant’s plan allows, and how much of it is used.',
  config,
  collections: [meters],
  tools: [entitlementsStatus],
  provides: [planProvider],
  pages: [planPage],
})
