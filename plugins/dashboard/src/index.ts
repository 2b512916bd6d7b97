import { definePlugin } from '@gateway/sdk'
import { firsts, views } from './collections.ts'
import { firstCall } from './contributions/call-observer.ts'
import { connectAgent } from './contributions/getting-started.ts'
import { forgetTenant } from './contributions/tenant-cache.ts'
import { clientFiles } from './operations/client-files.ts'
import { referenceFiles } from './operations/reference-files.ts'
import { deskApp } from './resources/desk.ts'
import { dashboardCron } from './routes/cron.ts'
import { dashboardDeleteView } from './routes/delete-view.ts'
import { dashboardGettingStarted } from './routes/getting-started.ts'
import { dashboardNames } from './routes/names.ts'
import { dashboardSaveView } from './routes/save-view.ts'
import { dashboardSearch } from './routes/search.ts'
import { dashboardTitles } from './routes/titles.ts'
import { dashboardViews } from './routes/views.ts'
import { knownTenantsProvider } from './services/known-tenants.ts'

const client = new URL('../dist/client/', import.meta.url)

/**
 * The dashboard for browsers, which receive:
 *
 * 1. The shell, one HTML page for every address of the dashboard, without data and with a policy that lets nothing else run.
 * 2. Its script and style, under names that change with their content, so that they are fetched once.
 * 3. The pages and the panels of the overview as data (`GET /api/dashboard/pages`), and then the data of each panel, with the caller's
 *    own credential.
 * 4. The desk, for hosts of agents that show MCP Apps beside the results of tools.
 * 5. The steps that put a new gateway to work, and the hits of a search, as families contribute them.
 */
export default definePlugin({
  id: 'dashboard',
  sdk: '^1.0.0',
  description: 'The dashboard: the pages of all families in a browser.',
  collections: [firsts, views],
  routes: [
    dashboardGettingStarted,
    dashboardSearch,
    dashboardNames,
    dashboardTitles,
    dashboardCron,
    dashboardViews,
    dashboardSaveView,
    dashboardDeleteView,
  ],
  provides: [knownTenantsProvider],
  contributes: [firstCall, forgetTenant, connectAgent],
  resources: [deskApp(client)],
  publicFiles: [...clientFiles(client), referenceFiles(client)],
})
