import { memoryContributor } from '@gateway/plugin-memory/api'
import { contribute } from '@gateway/sdk'
import { brain } from '../api.ts'

const MAX_COUNT = 100_000

/**
 * Lets `memory_reindex` bring the index of the atoms up to date. Atoms are searched where they are, since each branch shows its
 * own to some callers only; the memory keeps no copy.
 */
export const atomIndex = contribute(memoryContributor, {
  uses: { brain },
  create: ({ brain }) => ({
    name: 'brain',
    origins: async () => [],
    async refreshIndex() {
      const changed = await brain.refresh()
      return { origin: 'atoms', documents: await brain.count({}, MAX_COUNT), changed }
    },
  }),
})
