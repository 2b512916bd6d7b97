import type { AgentActivity, Collection } from '@gateway/sdk'
import { isAddress, parseAddress } from '../rules/address.ts'
import type { Message } from '../schema.ts'

export const mailTo = (messages: Collection<Message>): AgentActivity => ({
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
