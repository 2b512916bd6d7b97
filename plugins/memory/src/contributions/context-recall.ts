import { bootRecall } from '@gateway/plugin-context/api'
import { contribute, defined } from '@gateway/sdk'
import { memory } from '../api.ts'
import { forPrompt } from '../rules/outside.ts'

/** Memory search for a boot with a query. */
export const recalledAtBoot = contribute(bootRecall, {
  uses: { memory },
  create: ({ memory }) => ({
    source: 'memory',
    tool: 'memory_search',
    async search(request) {
      const { hits } = await memory.search({ ...request, valid: true })
      return hits.map(({ title, repo, createdAt, ...hit }) => ({
        content: forPrompt(hit),
        createdAt,
        ...defined({ title, repo }),
      }))
    },
  }),
})
