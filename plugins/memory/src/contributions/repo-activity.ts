import { contribute, cutText, repoActivity } from '@gateway/sdk'
import { records } from '../collections.ts'
import { MEMORY } from '../rules/corpus-words.ts'
import { CHUNK_SOURCES } from '../schema.ts'

const MAX_TITLE = 120

export const chunksOfRepos = contribute(repoActivity, {
  uses: { records },
  create: ({ records }) => ({
    async of({ name: repo, limit }) {
      // Every source is named because the index has it before the time.
      const where = { corpus: MEMORY, repo, source: { in: [...CHUNK_SOURCES, null] } }
      const { items } = await records.find({ where, sort: { createdAt: -1 }, limit })
      return {
        learned: items.map(({ id, title, content, createdAt }) => ({
          kind: 'memory',
          id,
          title: cutText(title ?? content, MAX_TITLE),
          at: createdAt,
          page: `/memory?repo=${encodeURIComponent(repo)}&query=${encodeURIComponent(cutText(title ?? content, MAX_TITLE))}`,
        })),
      }
    },
  }),
})
