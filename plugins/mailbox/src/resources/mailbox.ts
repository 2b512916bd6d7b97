import { resourceOf } from '@gateway/sdk'
import { INBOX_URI } from '../rules/inbox-uri.ts'
import { mailInbox } from '../tools/mail-inbox.ts'

export const inboxResource = resourceOf(mailInbox, {
  uri: INBOX_URI,
  name: 'mailbox',
  description: 'The unread mail of an address, newest first. Subscribers are notified when mail arrives and when it is handled.',
  input: ({ address }) => ({ to: address }),
})
