import { sessionRecords } from '@gateway/plugin-sessions/api'
import { contribute } from '@gateway/sdk'
import { handoffs } from '../collections.ts'

export const handoffsOfSession = contribute(sessionRecords, {
  uses: { handoffs },
  create: ({ handoffs }) => ({
    async of(sessionId, limit) {
      const { items } = await handoffs.find({ where: { sessionId }, sort: { handoffId: -1 }, limit: Math.min(limit, 50) })
      return items.map(({ createdAt, summary, content, repo, handoffId }) => ({
        at: createdAt,
        kind: 'handoff',
        title: summary ?? 'Handoff',
        text: content,
        repo,
        id: handoffId,
      }))
    },
  }),
})
