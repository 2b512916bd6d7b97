import { sessionRecords } from '@gateway/plugin-sessions/api'
import { contribute, cutText } from '@gateway/sdk'
import { records } from '../collections.ts'
import { MEMORY } from '../rules/corpus-words.ts'
import { MESSAGE_TAG } from '../rules/session-texts.ts'

const MAX_TITLE = 160

/** The chunks that name a session; those of a handoff or a message are left out, since these are records themselves. */
export const chunksOfSession = contribute(sessionRecords, {
  uses: { records },
  create: ({ records }) => ({
    async of(sessionId, limit) {
      const { items } = await records.find({
        where: { sessionId, corpus: MEMORY, source: { ne: 'handoff' }, not: { tags: { has: MESSAGE_TAG } } },
        sort: { storedAs: -1 },
        limit: Math.min(limit, 100),
      })
      return items.map(({ createdAt, title, content, repo, id }) => ({
        at: createdAt,
        kind: 'memory',
        title: title ?? cutText(content.trimStart().split('\n')[0] ?? '', MAX_TITLE),
        text: content,
        ...(repo !== undefined && { repo }),
        id,
      }))
    },
  }),
})
