import { forPrompt, memory } from '@gateway/plugin-memory/api'
import { contribute, defined, optional } from '@gateway/sdk'
import { bootRecall } from '../api.ts'

/** Memory search for a boot with a query. The memory cannot contribute it: the state, which a boot reads, requires the memory. */
export const memoryAtBoot = contribute(bootRecall, {
  uses: { memory: optional(memory) },
  create: ({ memory }) => ({
    source: 'memory',
    tool: 'memory_search',
    async search(request) {
      if (memory === undefined) return []
      const { hits } = await memory.search({ ...request, valid: true })
      return hits.map(({ title, repo, createdAt, ...hit }) => ({
        content: forPrompt(hit),
        createdAt,
        ...defined({ title, repo }),
      }))
    },
  }),
})
