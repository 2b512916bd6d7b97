import { resourceUri } from '@gateway/sdk'

/** A slash of an address is written as %2F. */
export const INBOX_URI = 'mailbox://{address}'
export const inboxUri = (address: string): string => resourceUri(INBOX_URI, { address })
