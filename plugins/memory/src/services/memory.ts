import { provide } from '@gateway/sdk'
import { memory } from '../api.ts'
import { assembleContext } from '../operations/context.ts'
import { replaceOrigin } from '../operations/origins.ts'
import { latestChunks, searchChunks } from '../operations/search-chunks.ts'
import { memoryStats } from '../operations/stats.ts'
import { storeChunks } from '../operations/store-chunks.ts'
import { memoryUses } from '../operations/uses.ts'

export const memoryProvider = provide(memory, {
  uses: memoryUses,
  create: (uses, ctx) => ({
    store: (drafts) => storeChunks(drafts, uses, ctx),
    search: (query) => searchChunks(query, uses, ctx),
    latest: (filter, limit) => latestChunks(filter, limit, uses),
    context: (request) => assembleContext(request, uses, ctx),
    replaceOrigin: (origin, documents) => replaceOrigin(origin, documents, uses, ctx),
    stats: (repo) => memoryStats(repo, uses),
  }),
})
