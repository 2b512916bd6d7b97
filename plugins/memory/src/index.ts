import { definePlugin } from '@gateway/sdk'
import { origins, preparations, records, syncStates, vectors } from './collections.ts'
import { config } from './config.ts'
import { recalledAtBoot } from './contributions/context-recall.ts'
import { vectorFigures } from './contributions/health-figures.ts'
import { vectorsOfTenant } from './contributions/tenant-memory.ts'
import { embedJob } from './jobs/embed.ts'
import { otherModelsJob } from './jobs/other-models.ts'
import { prepareWordsJob } from './jobs/prepare-words.ts'
import { syncWatch } from './jobs/sync-watch.ts'
import { countUses } from './listeners/patterns-recalled.ts'
import { embedStored } from './listeners/stored.ts'
import { patternsRecalled, stored } from './operations/events.ts'
import { memoryPage } from './pages/memory.ts'
import { contextRoute } from './routes/context.ts'
import { exportRoute } from './routes/export.ts'
import { importRoute } from './routes/import.ts'
import { searchRoute } from './routes/search.ts'
import { vectorsSearchRoute } from './routes/vectors-search.ts'
import { engineProvider } from './services/engine.ts'
import { recallIndexProvider } from './services/index.ts'
import { memoryProvider } from './services/memory.ts'
import { memoryContext } from './tools/memory-context.ts'
import { memoryReindex } from './tools/memory-reindex.ts'
import { memorySearch } from './tools/memory-search.ts'
import { memoryStatsTool } from './tools/memory-stats.ts'
import { memoryStore } from './tools/memory-store.ts'
import { patternAnalyze } from './tools/pattern-analyze.ts'
import { recallSession } from './tools/recall-session.ts'

/**
 * What a fleet has learned, recalled by words and by meaning. A chunk’s life:
 *
 * 1. stored under an id of its content, so that there is one of it: by itself, or as a part of a file that is indexed;
 * 2. found by its words at once, by those around it, and by where it stands;
 * 3. embedded in the background, off a queue that is a field of its own; from then on found by its meaning too,
 *    by vectors of one model: those of another are made anew;
 * 4. ranked by both: each list divided by its best, mild boosts, and what is meant as it is written above all else;
 * 5. gone when the last file that held it holds it no more, unless it was stored by itself.
 */
export default definePlugin({
  id: 'memory',
  sdk: '^1.0.0',
  description: 'What the fleet has learned: stored once, recalled by words and by meaning.',
  config,
  collections: [records, vectors, origins, syncStates, preparations],
  events: [stored, patternsRecalled],
  tools: [memorySearch, recallSession, memoryStore, memoryContext, memoryStatsTool, memoryReindex, patternAnalyze],
  routes: [searchRoute, contextRoute, exportRoute, importRoute, vectorsSearchRoute],
  jobs: [embedJob, otherModelsJob, prepareWordsJob, syncWatch],
  on: [embedStored, countUses],
  contributes: [recalledAtBoot, vectorFigures, vectorsOfTenant],
  provides: [engineProvider, memoryProvider, recallIndexProvider],
  pages: [memoryPage],
})
