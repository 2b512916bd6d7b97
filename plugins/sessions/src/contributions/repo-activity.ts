import { contribute, repoActivity } from '@gateway/sdk'
import { sessions } from '../collections.ts'
import { sessionDeed } from '../rules/session-deed.ts'
import { STATUSES } from '../schema.ts'

export const sessionsInRepos = contribute(repoActivity, {
  uses: { sessions },
  create: ({ sessions }) => ({
    async of({ name: repo, limit }) {
      const { items } = await sessions.find({ where: { repo, status: { in: STATUSES } }, sort: { updatedAt: -1 }, limit })
      return { did: items.map((session) => sessionDeed(session, `Session of ${session.agentName}`)) }
    },
  }),
})
