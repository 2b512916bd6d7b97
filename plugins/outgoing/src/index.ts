import { definePlugin } from '@gateway/sdk'
import { config } from './config.ts'
import { httpProvider } from './services/http.ts'

/**
 * HTTP to the outside, for every family that makes calls. The life of a call:
 *
 * 1. admitted: the tenant, the origin and the gateway have a share free, and the origin’s breaker is closed; else it is refused at once;
 * 2. connecting: the name is looked up, each address is held against the reach of the call, and the connection goes to what was looked at;
 * 3. sent: once, with its signature over the bytes that leave;
 * 4. answered: the status is there, whatever it is; a redirect is not followed;
 * 5. read: whole or as it comes, the sender waiting for the reader, within its bounds;
 * 6. over: complete, broken off, too late, too large, or let go by its caller; the breaker learns, and the shares are given back.
 */
export default definePlugin({
  id: 'outgoing',
  sdk: '^1.0.0',
  description: 'HTTP calls to the outside: to addresses that are checked, within bounds of time, size and number.',
  config,
  provides: [httpProvider],
})
