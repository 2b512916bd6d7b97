import { definePlugin } from '@gateway/sdk'
import { pulls, refreshes, shards } from './collections.ts'
import { config } from './config.ts'
import { pullsWait } from './contributions/attention.ts'
import { openPulls } from './contributions/webhooks-code-hosting.ts'
import { pushedRepos } from './contributions/webhooks-code-hosting-refresh.ts'
import { refresh } from './jobs/refresh.ts'
import { triage } from './jobs/triage.ts'
import { codeGraphPage } from './pages/code-graph.ts'
import { codeDependents } from './routes/dependents.ts'
import { graphsProvider } from './services/graphs.ts'
import { getNeighbors } from './tools/get-neighbors.ts'
import { getPrImpact } from './tools/get-pr-impact.ts'
import { shortestPath } from './tools/shortest-path.ts'
import { triagePrs } from './tools/triage-prs.ts'

/**
 * Reports what a code change affects, from a graph of files, imports, calls and tests. The lifecycle of a file's facts:
 *
 * 1. found, when its repo is first queried: read in a helper process, and parsed, so that comments and strings make no edges;
 * 2. linked: its imports and calls are followed to their definitions; an unresolvable one makes no edge;
 * 3. kept in the store under the hash of its content, so that after a restart only what differs is read;
 * 4. checked again after a push and with each question: changes since then are read before the answer;
 * 5. removed with its file, and three months after the repo last changed.
 *
 * Open pull requests that code hosting reports are kept with their risk, until they are merged or closed.
 */
export default definePlugin({
  id: 'code-graph',
  sdk: '^1.0.0',
  description: 'Finds the code that a change touches: importers, callers and tests, from a graph of the operator’s repos.',
  config,
  collections: [shards, pulls, refreshes],
  tools: [getPrImpact, triagePrs, getNeighbors, shortestPath],
  routes: [codeDependents],
  jobs: [triage, refresh],
  contributes: [openPulls, pushedRepos, pullsWait],
  provides: [graphsProvider],
  pages: [codeGraphPage],
})
