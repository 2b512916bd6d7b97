import { definePlugin } from '@gateway/sdk'
import { clients, codes, devices, grants } from './collections.ts'
import { config } from './config.ts'
import { oauthEndpoints } from './contributions/public-endpoints.ts'
import { accessCheck } from './contributions/token-check.ts'
import { grantsPage } from './pages/oauth-grants.ts'
import { consent } from './routes/consent.ts'
import { listGrants } from './routes/grants.ts'
import { showRequest } from './routes/request.ts'
import { revokeGrant } from './routes/revoke.ts'
import { clientDocumentsProvider } from './services/client-documents.ts'
import { tokenThrottleProvider } from './services/token-throttle.ts'

/**
 * OAuth sign-in for MCP clients. Life of a grant:
 *
 * 1. Asked for: a client learns the addresses from the metadata and sends the person's browser to the consent page.
 * 2. Consented: the person, signed in, chooses scopes; a code for one minute is kept, bound to client, address and challenge.
 * 3. Redeemed: the code becomes a grant with an access token and a refresh token, of which only hashes are kept. A second use ends
 *    it.
 * 4. Checked on every call, with the key, membership or session of the person who consented. The answer is remembered while it holds.
 * 5. Refreshed: each refresh replaces the refresh token; one that was replaced ends the grant.
 * 6. Ended by revocation, from the page of grants, with that key, membership or session, after its time, or with its tenant.
 *
 * A device without a browser waits while a person approves its code; an API key gets tokens as its own client credentials.
 */
export default definePlugin({
  id: 'oauth',
  sdk: '^1.0.0',
  description: 'OAuth sign-in for MCP clients: metadata, consent, tokens, and a page of the grants.',
  config,
  collections: [codes, grants, clients, devices],
  routes: [showRequest, consent, listGrants, revokeGrant],
  provides: [clientDocumentsProvider, tokenThrottleProvider],
  contributes: [accessCheck, oauthEndpoints],
  pages: [grantsPage],
})
