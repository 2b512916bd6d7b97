import { definePlugin } from '@gateway/sdk'
import { clientFiles } from './operations/client-files.ts'

/**
 * The dashboard for browsers, which receive:
 *
 * 1. The shell, one HTML page for every address of the dashboard, without data and with a policy that lets nothing else run.
 * 2. Its script and style, under names that change with their content, so that they are fetched once.
 * 3. The pages as data (`GET /api/dashboard/pages`), and then the data of each panel, with the caller's own credential.
 */
export default definePlugin({
  id: 'dashboard',
  sdk: '^1.0.0',
  description: 'The dashboard: the pages of all families in a browser.',
  publicFiles: clientFiles(new URL('../dist/client/', import.meta.url)),
})
