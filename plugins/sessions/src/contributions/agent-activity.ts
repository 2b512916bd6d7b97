import { type AgentDeed, agentActivity, contribute, repoActivity } from '@gateway/sdk'
import { sessions } from '../collections.ts'
import { STATUSES, type StoredSession } from '../schema.ts'

const deed = ({ sessionId, messageCount, updatedAt }: StoredSession, title = `Session of ${messageCount} messages`): AgentDeed => ({
  kind: 'session',
  id: sessionId,
  title,
  at: updatedAt,
  page: `/sessions/${encodeURIComponent(sessionId)}`,
})

/** Conversations with an agent, the runs of its schedules included. */
export const sessionsOfAgents = contribute(agentActivity, {
  uses: { sessions },
  create: ({ sessions }) => ({
    async of({ name: agentName, limit }) {
      const { items } = await sessions.find({ where: { agentName }, sort: { updatedAt: -1 }, limit })
      return { did: items.map((session) => deed(session)) }
    },
  }),
})

/** Sessions that work in a repo, and those that did. */
export const sessionsInRepos = contribute(repoActivity, {
  uses: { sessions },
  create: ({ sessions }) => ({
    async of({ name: repo, limit }) {
      const { items } = await sessions.find({ where: { repo, status: { in: STATUSES } }, sort: { updatedAt: -1 }, limit })
      return { did: items.map((session) => deed(session, `Session of ${session.agentName}`)) }
    },
  }),
})
