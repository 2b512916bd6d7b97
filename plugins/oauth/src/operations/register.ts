import type { CallContext, GatewayWide } from '@gateway/sdk'
import { readMetadata } from '../rules/client-metadata.ts'
import { OAuthRefusal } from '../rules/refusal.ts'
import type { StoredClient } from '../schema.ts'

/** Registered clients at once, on the whole gateway. */
const MAX_CLIENTS = 5_000
/** Registrations within a minute, on the whole gateway. */
const MAX_A_MINUTE = 60
const DAYS = 90

/** Registers a client (RFC 7591). */
export async function register(clients: GatewayWide<StoredClient>, body: string, ctx: Pick<CallContext, 'now' | 'newId'>): Promise<object> {
  const metadata = parsed(body)
  const known = readMetadata(metadata, 'a client without a name')
  const now = ctx.now()
  const since = new Date(now.getTime() - 60_000).toISOString()
  if ((await clients.count({ createdAt: { gt: since } }, { max: MAX_A_MINUTE })) >= MAX_A_MINUTE)
    throw new OAuthRefusal('temporarily_unavailable', `${MAX_A_MINUTE} clients have registered within a minute; try again later.`, 429)
  if ((await clients.count({ expiresAt: { gt: now.toISOString() } }, { max: MAX_CLIENTS })) >= MAX_CLIENTS)
    throw new OAuthRefusal('temporarily_unavailable', `${MAX_CLIENTS} clients are registered, the maximum.`, 503)
  const client: StoredClient = {
    clientId: ctx.newId('client-'),
    clientName: known.clientName,
    redirectUris: [...known.redirectUris],
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + DAYS * 86_400_000).toISOString(),
  }
  await clients.writable().insert(client)
  return {
    client_id: client.clientId,
    client_id_issued_at: Math.floor(now.getTime() / 1_000),
    client_name: client.clientName,
    redirect_uris: client.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new OAuthRefusal('invalid_client_metadata', 'The body must be JSON.')
  }
}
