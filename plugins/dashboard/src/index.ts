import { definePlugin } from '@gateway/sdk'
import { clientFiles } from './operations/client-files.ts'

/**
 * The dashboard’s face. What a browser gets of it:
 *
 * 1. the shell, one HTML page for every address of the dashboard, with no data in it and a policy that lets nothing else run;
 * 2. its script and style, under names that change with their content, so that they are fetched once;
 * 3. the pages, as data (`GET /api/dashboard/pages`), and then what each panel shows, with the caller’s own credential.
 */
export default definePlugin({
  id: 'dashboard',
  sdk: '^1.0.0',
  description: 'The dashboard: the pages of all families in a browser.',
  publicFiles: clientFiles(new URL('../dist/client/', import.meta.url)),
})
