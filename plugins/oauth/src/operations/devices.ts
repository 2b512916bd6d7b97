import { randomInt } from 'node:crypto'
import type { CallContext, GatewayWide } from '@gateway/sdk'
import { hashOf, newSecret } from '@gateway/sdk/secrets'
import type { Client } from '../rules/client-metadata.ts'
import type { Form } from '../rules/form.ts'
import { invalidGrant, invalidRequest, OAuthRefusal } from '../rules/refusal.ts'
import type { Scope, StoredDevice } from '../schema.ts'

const SECONDS = 600
const INTERVAL_SECONDS = 5
/** Devices that wait at once, on the whole gateway. */
const MAX_WAITING = 1_000
/** Consonants, so that no word arises (RFC 8628, 6.1). Eight of them are 34 bits. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'

type Devices = GatewayWide<StoredDevice>
type Ctx = Pick<CallContext, 'now'>
export const DENIED = 'denied'

/** Begins the device flow (RFC 8628, 3.2). */
export async function beginDevice(
  devices: Devices,
  { client, scopes }: { client: Client; scopes: readonly Scope[] },
  issuer: string,
  ctx: Ctx,
) {
  const now = ctx.now()
  if ((await devices.count({ expiresAt: { gt: now.toISOString() } }, { max: MAX_WAITING })) >= MAX_WAITING)
    throw new OAuthRefusal('temporarily_unavailable', `${MAX_WAITING} devices are waiting, the maximum; try again later.`, 503)
  const secret = newSecret()
  const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  const userCode = `${letters.slice(0, 4)}-${letters.slice(4)}`
  await devices.writable().insert({
    hash: hashOf(secret),
    userCode,
    clientId: client.clientId,
    clientName: client.clientName,
    scopes: [...scopes],
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + SECONDS * 1_000).toISOString(),
  })
  const verification = `${issuer}/oauth/device`
  return {
    device_code: secret,
    user_code: userCode,
    verification_uri: verification,
    verification_uri_complete: `${verification}?user_code=${userCode}`,
    expires_in: SECONDS,
    interval: INTERVAL_SECONDS,
  }
}

/** Finds the device that shows a code, whatever its case and punctuation. */
export async function findDevice(devices: Pick<Devices, 'find'>, text: string, ctx: Ctx): Promise<StoredDevice> {
  const letters = text.toUpperCase().replaceAll(/[^A-Z]/g, '')
  const userCode = `${letters.slice(0, 4)}-${letters.slice(4)}`
  const where = { userCode, expiresAt: { gt: ctx.now().toISOString() }, outcome: { exists: false } }
  const [found] = letters.length === 8 ? (await devices.find({ where, limit: 1 })).items : []
  if (!found) throw invalidRequest('user_code must be the code that the device shows; it is valid for ten minutes.')
  return found
}

/** Returns the approval once there is one. Throws an OAuthRefusal until then. */
export async function pollDevice(devices: Devices, { device_code: secret = '', client_id: clientId }: Form, ctx: Ctx): Promise<string> {
  const hash = hashOf(secret)
  const found = await devices.get(hash)
  if (!found || found.clientId !== clientId) throw invalidGrant('device_code is not valid for this client.')
  const now = ctx.now()
  if (found.expiresAt <= now.toISOString()) throw new OAuthRefusal('expired_token', 'The device code has expired.')
  if (found.outcome === DENIED) throw new OAuthRefusal('access_denied', 'The person has refused.')
  if (found.outcome !== undefined) {
    // A second poll finds nothing, so that the code is not taken for a replay.
    if (!(await devices.writable().deleteOne(hash))) throw invalidGrant('device_code was used before.')
    return found.outcome
  }
  const tooSoon = found.polledAt !== undefined && Date.parse(found.polledAt) + INTERVAL_SECONDS * 1_000 > now.getTime()
  await devices.writable().updateOne(hash, { set: { polledAt: now.toISOString() } })
  throw tooSoon
    ? new OAuthRefusal('slow_down', `Ask at most every ${INTERVAL_SECONDS} seconds.`)
    : new OAuthRefusal('authorization_pending', 'The person has not decided yet.')
}
