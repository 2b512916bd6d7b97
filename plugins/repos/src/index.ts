import { definePlugin } from '@gateway/sdk'
import { roster } from './collections.ts'
import { operatorFilesProvider } from './operator-files.ts'
import { reposCompliance } from './routes/repos-compliance.ts'
import { reposList } from './tools/repos-list.ts'
import { reposScan } from './tools/repos-scan.ts'
import { reposUpsert } from './tools/repos-upsert.ts'

/**
 * Two lists of repos. The roster is a collection, and each tenant’s own. The list of managed repos is a file in the root, and the
 * operator’s: no other tenant sees it, or anything else of this machine’s files.
 */
export default definePlugin({
  id: 'repos',
  sdk: '^1.0.0',
  description: 'The repos an operator or a tenant looks after, and whether they follow the framework.',
  collections: [roster],
  tools: [reposList, reposScan, reposUpsert],
  routes: [reposCompliance],
  provides: [operatorFilesProvider],
})
