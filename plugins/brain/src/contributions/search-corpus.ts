import { memory } from '@gateway/plugin-memory/api'
import { contribute, cutText, defined, optional } from '@gateway/sdk'
import { searchCorpus } from '../api.ts'

const MAX_TEXT = 400

/** Past sessions from memory: archives, handoffs, and items stored with a session. Empty without the memory family. */
export const sessionCorpus = contribute(searchCorpus, {
  uses: { memory: optional(memory) },
  create: ({ memory }) => ({
    name: 'memory',
    async search({ limit, ...asked }) {
      const found = await memory?.search({ ...asked, sessions: true, limit: Math.min(2 * limit, 100) })
      // Atoms are the brain's own corpus.
      const own = (found?.hits ?? []).filter(({ source }) => source !== 'brain').slice(0, limit + 1)
      return own.map(({ chunkId, score, title, content, createdAt, repo }) => ({
        score,
        title: title ?? cutText(content.trimStart().split('\n')[0] ?? '', 160),
        text: cutText(content, MAX_TEXT),
        at: createdAt,
        ...defined({ repo }),
        id: chunkId,
      }))
    },
  }),
})
