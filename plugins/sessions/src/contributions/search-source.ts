import { contribute, defined, searchSource } from '@gateway/sdk'
import { nearest } from '@gateway/sdk/near'
import { sessions } from '../collections.ts'

const LATEST_SESSIONS_COMPARED = 200

export const sessionSearch = contribute(searchSource, {
  uses: { sessions },
  create: ({ sessions }) => ({
    kind: 'session',
    async find(query, limit) {
      const { items } = await sessions.find({ sort: { updatedAt: -1 }, limit: LATEST_SESSIONS_COMPARED })
      const text = ({ sessionId, agentName, repo = '', machine = '' }: (typeof items)[number]) =>
        `${agentName} ${repo} ${machine} ${sessionId}`
      return nearest(query, items, text, limit).map(({ sessionId, agentName, repo, updatedAt }) => ({
        id: sessionId,
        title: `Session of ${agentName}`,
        ...defined({ text: repo }),
        at: updatedAt,
        link: { to: '/sessions/:id', with: { id: sessionId } },
      }))
    },
    titles: async (ids) =>
      Object.fromEntries((await sessions.getMany(ids)).map(({ sessionId, agentName }) => [sessionId, `Session of ${agentName}`])),
  }),
})
