import { contribute, searchSource } from '@gateway/sdk'
import { chunkQuery } from '../operations/search-chunks.ts'
import { searchRecords } from '../operations/search-records.ts'
import { memoryUses } from '../operations/uses.ts'

/** Finds chunks as `memory_search` does; looking for one does not count as its use. */
export const memorySearchHits = contribute(searchSource, {
  uses: memoryUses,
  create: (uses, ctx) => ({
    kind: 'memory',
    async find(query, limit) {
      const { hits } = await searchRecords(chunkQuery({ query, limit }), uses, ctx)
      return hits.slice(0, limit).map(({ record: { id, title, content, createdAt } }) => ({
        id,
        title: title ?? content.split('\n', 1)[0] ?? id,
        text: content,
        at: createdAt,
        link: { to: '/memory', with: { query } },
      }))
    },
  }),
})
