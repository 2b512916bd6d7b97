import type { Credential } from '@gateway/sdk'

type Json = Readonly<Record<string, unknown>>

/** Credentials in OpenAPI's terms. A direct request from this machine needs none, which OpenAPI writes as `{}`. */
export const securitySchemes: Json = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A tenant’s key, `gw_live_…` or `gw_test_…`.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key, an OAuth access token, the local token, or a session token (JWT).' },
  localToken: {
    type: 'apiKey',
    in: 'header',
    name: 'x-gateway-local-token',
    description: 'The local token: its holder is the local operator.',
  },
  session: { type: 'apiKey', in: 'cookie', name: 'svc_token', description: 'A session token (JWT) as a cookie.' },
  signedIn: { type: 'apiKey', in: 'cookie', name: 'gateway_session', description: 'The session of a browser that signed in.' },
  basic: { type: 'http', scheme: 'basic', description: 'The plugin’s own secret, as the password; the user name does not matter.' },
  adminToken: { type: 'apiKey', in: 'header', name: 'x-admin-token', description: 'The operator’s token.' },
}

/** Alternatives, any one of which is enough. */
const needs: Readonly<Record<Credential, readonly Json[]>> = {
  caller: [{}, { apiKey: [] }, { bearer: [] }, { localToken: [] }, { signedIn: [] }, { session: [] }],
  admin: [{ adminToken: [] }, { signedIn: [] }],
  // The plugin checks the secret, or the signature in a header.
  own: [{ basic: [] }, { bearer: [] }],
  signed: [],
  'admin-and-local': [{ adminToken: [] }, { adminToken: [], localToken: [] }, { adminToken: [], bearer: [] }],
}

export function security(credential: Credential): readonly Json[] {
  return needs[credential]
}
