import { type AgentActivity, agentActivity, type Collection, contribute, repoActivity } from '@gateway/sdk'
import { messages } from '../collections.ts'
import { isAddress, parseAddress } from '../rules/address.ts'
import type { Message } from '../schema.ts'

/** Mail to an agent, or to a repo. */
const mailTo = (messages: Collection<Message>): AgentActivity => ({
  async of({ name, limit }) {
    if (!isAddress(name)) return {}
    const { items } = await messages.find({ where: { to: parseAddress('to', name) }, sort: { createdAt: -1 }, limit })
    return {
      told: items.map(({ messageId, from, subject, createdAt }) => ({
        kind: 'mail',
        id: messageId,
        title: subject ? `${from}: ${subject}` : `Mail from ${from}`,
        at: createdAt,
        page: `/mailbox/threads/${encodeURIComponent(messageId)}`,
      })),
    }
  },
})

export const mailToAgents = contribute(agentActivity, { uses: { messages }, create: ({ messages }) => mailTo(messages) })
export const mailToRepos = contribute(repoActivity, { uses: { messages }, create: ({ messages }) => mailTo(messages) })
