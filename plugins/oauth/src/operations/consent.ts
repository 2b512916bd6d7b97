import { atomically, BadRequest, type CallContext, Conflict, gatewayWide, NotFound, type Resolved } from '@gateway/sdk'
import { hashOf, newSecret } from '@gateway/sdk/secrets'
import { codes, devices } from '../collections.ts'
import { config } from '../config.ts'
import { issuerOf } from '../rules/addresses.ts'
import { consenterOf } from '../rules/consenter.ts'
import { type Form, readForm } from '../rules/form.ts'
import { withResult } from '../rules/redirects.ts'
import { OAuthRefusal } from '../rules/refusal.ts'
import { grantRole, scopesOf } from '../rules/scopes.ts'
import type { Scope, StoredCode } from '../schema.ts'
import { findDevice } from './devices.ts'
import { type AuthorizationRequest, readRequest, readUses } from './read-request.ts'

export const consentUses = { ...readUses, codes, devices: gatewayWide(devices), atomically, config }
type Refs = Resolved<typeof consentUses>

export interface Asked {
  readonly query?: string | undefined
  readonly userCode?: string | undefined
}

/** A client that asks, and the scopes that the caller can give it. */
export interface PendingRequest {
  readonly issuer: string
  readonly clientId: string
  readonly clientName: string
  readonly scopes: readonly Scope[]
  readonly form: Form
  readonly request?: AuthorizationRequest
  readonly userCode?: string
}

/** Reads who asks. Throws BAD_REQUEST naming `query` or `userCode`. */
export async function readAsked(refs: Refs, { query, userCode }: Asked, ctx: CallContext): Promise<PendingRequest> {
  const issuer = issuerOf(refs.config)
  if (issuer === undefined) throw NotFound({ what: 'page', id: 'oauth' })
  const field = userCode === undefined ? 'query' : 'userCode'
  try {
    const given = new Set(scopesOf(grantRole(ctx.principal.role)))
    const within = (scopes: readonly Scope[]): Scope[] => scopes.filter((scope) => given.has(scope))
    if (userCode !== undefined) {
      const device = await findDevice(refs.devices, userCode, ctx)
      const { clientId, clientName } = device
      return { issuer, clientId, clientName, scopes: within(device.scopes), form: {}, userCode: device.userCode }
    }
    const form = readForm(query ?? '')
    const request = await readRequest(refs, form, issuer, ctx)
    const { clientId, clientName } = request.client
    return { issuer, clientId, clientName, scopes: within(request.valid?.scopes ?? []), form, request }
  } catch (error) {
    if (error instanceof OAuthRefusal) throw BadRequest({ field, message: error.message })
    throw error
  }
}

/** Address to which the browser takes a refusal. */
export const refusalUrl = ({ issuer: iss, request }: PendingRequest, { error, message }: OAuthRefusal): string | undefined =>
  request && withResult(request.redirectUri, { error, error_description: message, state: request.state, iss })

const CODE_SECONDS = 60
const DEVICE_SECONDS = 600
/** Codes of a tenant that are kept, used ones included; they are removed after a day. */
const MAX_CODES = 5_000

/** Keeps a decision as a code, which is seen only here. */
export async function keepCode(refs: Refs, pending: PendingRequest, scopes: readonly Scope[], ctx: CallContext): Promise<string> {
  const { clientId, clientName, form, request, userCode } = pending
  const secret = newSecret()
  const now = ctx.now()
  const seconds = userCode === undefined ? CODE_SECONDS : DEVICE_SECONDS
  const code: StoredCode = {
    ...consenterOf(ctx.principal),
    hash: hashOf(secret),
    clientId,
    clientName,
    scopes: [...scopes],
    ...(form.redirect_uri !== undefined && { redirectUri: form.redirect_uri }),
    ...(request?.valid && { challenge: request.valid.challenge }),
    ...(userCode !== undefined && { userCode }),
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + seconds * 1_000).toISOString(),
  }
  await refs.atomically(async (tx) => {
    if ((await refs.codes.in(tx).count({}, { max: MAX_CODES })) >= MAX_CODES)
      throw Conflict({ message: `${MAX_CODES} codes were issued within a day, the maximum of a tenant; try again later.` })
    await refs.codes.in(tx).insert(code)
  })
  return `${ctx.tenantId}~${secret}`
}
