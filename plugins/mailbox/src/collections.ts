import { defineCollection } from '@gateway/sdk'
import { messageSchema } from './schema.ts'

/** With `acked` in front of the time, what waits for an address is read and counted without passing what is done. */
export const messages = defineCollection('mailbox', {
  schema: messageSchema,
  key: 'messageId',
  indexes: [
    { keys: { to: 1, acked: 1, createdAt: -1 } },
    { keys: { to: 1, createdAt: -1 } },
    // the requests that wait for an address, oldest first; no other message pays for it
    { keys: { to: 1, createdAt: 1 }, present: 'actionable' },
    // what answers a message
    { keys: { replyTo: 1, createdAt: 1 }, present: 'replyTo' },
  ],
})
