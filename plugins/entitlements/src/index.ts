import { definePlugin } from '@gateway/sdk'
import { meters } from './collections.ts'
import { config } from './config.ts'
import { planPage } from './pages/plan.ts'
import { planProvider } from './services/plan.ts'
import { entitlementsStatus } from './tools/entitlements-status.ts'

/**
 * Rights of a tenant's plan. One table defines them, in rules/plans.ts; the settings may override it.
 *
 * 1. A family asks the service before it admits a gated feature, or uses up a part of the month.
 * 2. Monthly usage is kept here; other families report the numbers of repos and seats.
 */
export default definePlugin({
  id: 'entitlements',
  sdk: '^1.0.0',
  description: 'The features and limits of a tenant’s plan, and their use.',
  config,
  collections: [meters],
  tools: [entitlementsStatus],
  provides: [planProvider],
  pages: [planPage],
})
