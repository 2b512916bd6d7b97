import { definePlugin } from '@gateway/sdk'
import { shards } from './collections.ts'
import { config } from './config.ts'
import { codeGraphPage } from './pages/code-graph.ts'
import { graphsProvider } from './services/graphs.ts'
import { getNeighbors } from './tools/get-neighbors.ts'
import { getPrImpact } from './tools/get-pr-impact.ts'
import { shortestPath } from './tools/shortest-path.ts'
import { triagePrs } from './tools/triage-prs.ts'

/**
 * What a change of code touches, from a graph of files, imports, calls and tests. The life of what is known of a file:
 *
 * 1. found, when somebody first asks about its repo: read in a helper process, and parsed, so that comments and strings make no edges;
 * 2. linked: what it imports and calls is followed to where it is defined; what cannot be followed makes no edge;
 * 3. kept in the store under the hash of its content, so that after a restart only what differs is read;
 * 4. looked at again with each question: what has changed since is read before the answer;
 * 5. gone with its file, and three months after the repo changed last.
 */
export default definePlugin({
  id: 'code-graph',
  sdk: '^1.0.0',
  description: 'What a change of code touches: importers, callers and tests, from a graph of the operator’s repos.',
  config,
  collections: [shards],
  tools: [getPrImpact, triagePrs, getNeighbors, shortestPath],
  provides: [graphsProvider],
  pages: [codeGraphPage],
})
