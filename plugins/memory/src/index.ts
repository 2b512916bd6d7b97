import { definePlugin } from '@gateway/sdk'
import { dueOrigins, forgotten, origins, preparations, records, stamps, syncStates, vectors } from './collections.ts'
import { config } from './config.ts'
import { conversations } from './contributions/contributor.ts'
import { vectorFigures } from './contributions/health-figures.ts'
import { chunksOfRepos } from './contributions/repo-activity.ts'
import { memorySearchHits } from './contributions/search-source.ts'
import { conversationsIndexed } from './contributions/sessions-index.ts'
import { chunksOfSession } from './contributions/sessions-records.ts'
import { vectorsOfTenant } from './contributions/tenant-cache.ts'
import { hostedCode } from './contributions/webhooks-code-hosting.ts'
import { catchUpJob } from './jobs/catch-up.ts'
import { embedJob } from './jobs/embed.ts'
import { followFilesJob } from './jobs/follow-files.ts'
import { otherModelsJob } from './jobs/other-models.ts'
import { prepareWordsJob } from './jobs/prepare-words.ts'
import { refreshDueJob } from './jobs/refresh-due.ts'
import { syncWatch } from './jobs/sync-watch.ts'
import { countUses } from './listeners/patterns-recalled.ts'
import { embedStored } from './listeners/stored.ts'
import { patternsRecalled, stored } from './operations/events.ts'
import { memoryPage } from './pages/memory.ts'
import { overview } from './pages/overview.ts'
import { contextRoute } from './routes/context.ts'
import { exportRoute } from './routes/export.ts'
import { forgetOneRoute } from './routes/forget.ts'
import { growthRoute } from './routes/growth.ts'
import { importRoute } from './routes/import.ts'
import { searchRoute } from './routes/search.ts'
import { transcriptsRoute } from './routes/transcripts.ts'
import { vectorsSearchRoute } from './routes/vectors-search.ts'
import { engineProvider } from './services/engine.ts'
import { recallIndexProvider } from './services/index.ts'
import { memoryProvider } from './services/memory.ts'
import { memoryContext } from './tools/memory-context.ts'
import { memoryForget } from './tools/memory-forget.ts'
import { memoryReindex } from './tools/memory-reindex.ts'
import { memorySearch } from './tools/memory-search.ts'
import { memoryStatsTool } from './tools/memory-stats.ts'
import { memoryStore } from './tools/memory-store.ts'
import { patternAnalyze } from './tools/pattern-analyze.ts'
import { recallSession } from './tools/recall-session.ts'

/**
 * Memory of a fleet, recalled by words and by meaning. The life of a chunk:
 *
 * 1. stored under an id of its content, so that there is one of it: directly, or with the write of the record or file it is in;
 *    a repetition joins its repo, tags and session;
 * 2. found at once by its words, by the words around it, and by its location;
 * 3. embedded in the background, from a queue that is a field of the record; from then on found by its meaning too,
 *    by vectors of one model: vectors of another model are made again;
 * 4. ranked by both: each list divided by its best, mild boosts, and exact matches above all else;
 * 5. superseded by a chunk that names it, or expired: from then on marked, below valid ones, and left out of contexts;
 * 6. removed when the last file that held it no longer holds it, unless it was stored directly;
 * 7. forgotten on request: a tombstone without its text keeps it from coming back with a file.
 */
export default definePlugin({
  id: 'memory',
  sdk: '^1.0.0',
  description: 'Knowledge of the fleet: stored once, recalled by words and by meaning.',
  config,
  collections: [records, vectors, origins, dueOrigins, stamps, forgotten, syncStates, preparations],
  events: [stored, patternsRecalled],
  tools: [memorySearch, recallSession, memoryStore, memoryContext, memoryStatsTool, memoryReindex, memoryForget, patternAnalyze],
  routes: [searchRoute, contextRoute, exportRoute, importRoute, forgetOneRoute, transcriptsRoute, vectorsSearchRoute, growthRoute],
  jobs: [embedJob, otherModelsJob, prepareWordsJob, refreshDueJob, followFilesJob, catchUpJob, syncWatch],
  on: [embedStored, countUses],
  contributes: [
    chunksOfRepos,
    memorySearchHits,
    hostedCode,
    vectorFigures,
    vectorsOfTenant,
    chunksOfSession,
    conversations,
    conversationsIndexed,
  ],
  provides: [engineProvider, memoryProvider, recallIndexProvider],
  pages: [memoryPage],
  overview,
})
