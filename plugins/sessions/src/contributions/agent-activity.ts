import { agentActivity, contribute } from '@gateway/sdk'
import { sessions } from '../collections.ts'

/** Conversations with an agent, the runs of its schedules included. */
export const sessionsOfAgents = contribute(agentActivity, {
  uses: { sessions },
  create: ({ sessions }) => ({
    async of({ name: agentName, limit }) {
      const { items } = await sessions.find({ where: { agentName }, sort: { updatedAt: -1 }, limit })
      return {
        did: items.map(({ sessionId, messageCount, updatedAt }) => ({
          kind: 'session',
          id: sessionId,
          title: `Session of ${messageCount} messages`,
          at: updatedAt,
        })),
      }
    },
  }),
})
