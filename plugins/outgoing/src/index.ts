import { definePlugin } from '@gateway/sdk'
import { config } from './config.ts'
import { httpProvider } from './services/http.ts'

/**
 * Outgoing HTTP for every family. Life of a call:
 *
 * 1. Admitted: the tenant, the origin and the gateway have a free permit, and the origin's breaker is closed; otherwise it is
 *    refused at once.
 * 2. Connecting: the name is resolved, each address is checked against the reach of the call, and the connection goes to a
 *    checked address.
 * 3. Sent: once, with its signature over the bytes that leave.
 * 4. Answered: the status is known; a redirect is not followed.
 * 5. Read: whole or as it arrives, the sender waiting for the reader, within its bounds.
 * 6. Over: complete, broken off, timed out, too large, or dropped by its caller; the breaker is updated, and the permits are
 *    returned.
 */
export default definePlugin({
  id: 'outgoing',
  sdk: '^1.0.0',
  description: 'Outgoing HTTP calls: to checked addresses, with limits of time, size and number.',
  config,
  provides: [httpProvider],
})
