import { agentActivity, contribute } from '@gateway/sdk'
import { sessions } from '../collections.ts'
import { sessionDeed } from '../rules/session-deed.ts'

/** Conversations with an agent, the runs of its schedules included. */
export const sessionsOfAgents = contribute(agentActivity, {
  uses: { sessions },
  create: ({ sessions }) => ({
    async of({ name: agentName, limit }) {
      const { items } = await sessions.find({ where: { agentName }, sort: { updatedAt: -1 }, limit })
      return { did: items.map((session) => sessionDeed(session)) }
    },
  }),
})
