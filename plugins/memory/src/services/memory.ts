import { provide } from '@gateway/sdk'
import { memory } from '../api.ts'
import { assembleContext } from '../operations/context.ts'
import { followUses, noteChange, refreshOrigin } from '../operations/follow.ts'
import { addToOrigin, replaceOrigin } from '../operations/origins.ts'
import { latestChunks } from '../operations/search-chunks.ts'
import { searchSources } from '../operations/search-sources.ts'
import { memoryStats } from '../operations/stats.ts'
import { storeChunks } from '../operations/store-chunks.ts'
import { searchUses } from '../operations/uses.ts'

export const memoryProvider = provide(memory, {
  uses: { ...searchUses, ...followUses },
  create: (uses, ctx) => ({
    store: (drafts) => storeChunks(drafts, uses, ctx),
    search: (query) => searchSources(query, uses, ctx),
    latest: (filter, limit) => latestChunks(filter, limit, uses, ctx),
    context: (request) => assembleContext(request, uses, ctx),
    replaceOrigin: (origin, documents) => replaceOrigin(origin, async () => documents, uses, ctx),
    stats: (repo) => memoryStats(repo, uses),
    originChanges: (origin) => noteChange(origin, uses, ctx),
    refreshOrigin: async (origin) => void (await refreshOrigin(origin, uses, ctx)),
    in: (tx) => ({ addToOrigin: (origin, documents) => addToOrigin(tx, origin, documents, uses, ctx) }),
  }),
})
