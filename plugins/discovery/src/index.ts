import { definePlugin } from '@gateway/sdk'
import { toolsPage } from './pages/tools.ts'
import { indexesProvider } from './services/indexes.ts'
import { toolsCallDestructive } from './tools/tools-call-destructive.ts'
import { toolsCallRead } from './tools/tools-call-read.ts'
import { toolsCallWrite } from './tools/tools-call-write.ts'
import { toolsSearch } from './tools/tools-search.ts'

/**
 * Gives an agent that took the short list access to every tool:
 *
 * 1. it describes what it wants to do, and gets the tools that fit, the best with their input schema;
 * 2. it calls one through the tool for its effect, with its own identity, on the one call path.
 */
export default definePlugin({
  id: 'discovery',
  sdk: '^1.0.0',
  description: 'Finds tools by intent and calls them by effect, for agents with a short list of tools.',
  tools: [toolsSearch, toolsCallRead, toolsCallWrite, toolsCallDestructive],
  provides: [indexesProvider],
  pages: [toolsPage],
})
