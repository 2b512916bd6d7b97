import { defineCommand, definePlugin } from '@gateway/sdk'
import { cards, remoteNames, roster } from './collections.ts'
import { config } from './config.ts'
import { listInBackup } from './contributions/backup-part.ts'
import { reposUsed } from './contributions/entitlements-counted-use.ts'
import { reposPanel } from './contributions/fleet-panel.ts'
import { repoFigures } from './contributions/health-figures.ts'
import { reposProbe } from './contributions/health-probe.ts'
import { repoSearch } from './contributions/search-source.ts'
import { namesOfClones } from './contributions/tasks-repo-names.ts'
import { pushes } from './contributions/webhooks-code-hosting.ts'
import { namesOfHosted } from './contributions/webhooks-repo-names.ts'
import { repoChanged } from './operations/news.ts'
import { repoPage } from './pages/repo.ts'
import { reposPage } from './pages/repos.ts'
import { reposActivity } from './routes/activity.ts'
import { reposCompliance } from './routes/compliance.ts'
import { repoFoldersProvider } from './services/folders.ts'
import { repoLocatorProvider } from './services/locator.ts'
import { operatorFilesProvider } from './services/operator-files.ts'
import { repoResolverProvider } from './services/resolver.ts'
import { newApp } from './tools/new-app.ts'
import { reposCardList } from './tools/repos-card-list.ts'
import { reposCardUpsert } from './tools/repos-card-upsert.ts'
import { reposList } from './tools/repos-list.ts'
import { reposPriority } from './tools/repos-priority.ts'
import { reposScan } from './tools/repos-scan.ts'
import { reposStatus } from './tools/repos-status.ts'
import { reposUpsert } from './tools/repos-upsert.ts'

/**
 * Two lists of repos. The roster is a collection, one per tenant. The list of managed repos is a file in the root, and belongs to
 * the operator: no other tenant sees it, or any other of this machine's files.
 *
 * The life of a card, a repo's entry in the app directory:
 * 1. created by the first report of the repo, or by new_app for an app that does not exist yet;
 * 2. changed field by field, by callers that know better;
 * 3. for a new app: marked with the answer of the pipeline.
 */
export default definePlugin({
  id: 'repos',
  sdk: '^1.0.0',
  description: 'The repos that an operator or a tenant looks after, and whether they follow the framework.',
  config,
  collections: [roster, remoteNames, cards],
  events: [repoChanged],
  tools: [reposList, reposStatus, reposPriority, reposScan, reposUpsert, reposCardList, reposCardUpsert, newApp],
  routes: [reposCompliance, reposActivity],
  provides: [operatorFilesProvider, repoFoldersProvider, repoLocatorProvider, repoResolverProvider],
  contributes: [repoSearch, reposPanel, repoFigures, reposProbe, reposUsed, listInBackup, pushes, namesOfClones, namesOfHosted],
  pages: [reposPage, repoPage],
  commands: [
    defineCommand('new-app', {
      summary: 'Create an app from an idea and register its repo.',
      load: () => import('./commands/new-app.ts'),
    }),
  ],
})
