import { contribute, searchSource } from '@gateway/sdk'
import { nearest } from '@gateway/sdk/near'
import { messages } from '../collections.ts'

/** Number of the newest messages that are compared, of those that were acknowledged and of those that wait. */
const RECENT = 200

export const mailSearch = contribute(searchSource, {
  uses: { messages },
  create: ({ messages }) => ({
    kind: 'mail',
    async find(query, limit) {
      const pages = await Promise.all(
        [false, true].map((acked) => messages.find({ where: { acked }, sort: { createdAt: -1 }, limit: RECENT })),
      )
      const all = pages.flatMap(({ items }) => items)
      return nearest(query, all, ({ subject, from, to }) => `${subject} ${from} ${to}`, limit).map(
        ({ messageId, subject, from, to, createdAt }) => ({
          id: messageId,
          title: subject || `Mail from ${from}`,
          text: `${from} to ${to}`,
          at: createdAt,
          link: { to: '/mailbox/threads/:id', with: { id: messageId } },
        }),
      )
    },
    titles: async (ids) =>
      Object.fromEntries((await messages.getMany(ids)).map(({ messageId, subject, from }) => [messageId, subject || `Mail from ${from}`])),
  }),
})
