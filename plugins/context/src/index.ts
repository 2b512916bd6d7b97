import { definePlugin } from '@gateway/sdk'
import { meters } from './collections.ts'
import { config } from './config.ts'
import { connectBundle } from './contributions/boot-bundle.ts'
import { memoryAtBoot } from './contributions/recall.ts'
import { continuityProvider } from './services/continuity.ts'
import { contextBoot } from './tools/context-boot.ts'
import { continuityStats } from './tools/continuity-stats.ts'
import { userSavings } from './tools/user-savings.ts'

/**
 * Context for a session that begins. A boot:
 *
 * 1. the repo is found, and its state, its latest handoff and the parts of other families are read in parallel;
 * 2. text that seldom changes goes above the cache boundary, within its own share of the budget; changing text goes below;
 * 3. only with a query, the sources of snippets are searched;
 * 4. the boot is counted, for its repo and its user, in this month and in all time.
 */
export default definePlugin({
  id: 'context',
  sdk: '^1.0.0',
  description: 'Context for a session that begins, and the tokens it saves.',
  config,
  collections: [meters],
  tools: [contextBoot, continuityStats, userSavings],
  provides: [continuityProvider],
  contributes: [connectBundle, memoryAtBoot],
})
