import { defineCollection } from '@gateway/sdk'
import { messageSchema } from './schema.ts'

/** With `acked` before the time, waiting mail of an address is read and counted without passing acknowledged mail. */
export const messages = defineCollection('mailbox', {
  schema: messageSchema,
  key: 'messageId',
  indexes: [
    { keys: { to: 1, acked: 1, createdAt: -1 } },
    { keys: { to: 1, createdAt: -1 } },
    // Requests that wait for an address, oldest first; other messages do not use this index.
    { keys: { to: 1, createdAt: 1 }, present: 'actionable' },
    // Retention.
    { keys: { acked: 1, createdAt: 1 } },
    // Answers to a message.
    { keys: { replyTo: 1, createdAt: 1 }, present: 'replyTo' },
  ],
})
