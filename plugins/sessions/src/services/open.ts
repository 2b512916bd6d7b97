import { provide } from '@gateway/sdk'
import { openSessions } from '../api.ts'
import { sessions } from '../collections.ts'
import { hostView } from '../operations/session-of-host.ts'

const MAX_OPEN = 50

export const openSessionsProvider = provide(openSessions, {
  uses: { sessions },
  create: ({ sessions }) => ({
    async of(repo) {
      const { items } = await sessions.find({ where: { repo, status: 'active' }, sort: { updatedAt: -1 }, limit: MAX_OPEN })
      return items.map((session) => ({ ...hostView(session), lastSignAt: session.updatedAt }))
    },
    forTask: async (taskId) => (await sessions.find({ where: { taskId }, sort: { updatedAt: -1 }, limit: MAX_OPEN })).items.map(hostView),
  }),
})
