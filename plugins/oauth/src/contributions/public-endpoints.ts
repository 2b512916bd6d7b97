import { type CallContext, contribute, type PublicAnswer, type PublicRequest, publicEndpoints, type Resolved } from '@gateway/sdk'
import { config } from '../config.ts'
import { answerApproval, approvalUses } from '../operations/approve-device.ts'
import { beginDevice } from '../operations/devices.ts'
import { clientUses, findClient } from '../operations/find-client.ts'
import { askedScopes } from '../operations/read-request.ts'
import { register } from '../operations/register.ts'
import { revoke } from '../operations/revoke.ts'
import { answerTokenRequest, tokenUses } from '../operations/tokens.ts'
import { issuerOf, isView } from '../rules/addresses.ts'
import { json, refused } from '../rules/answers.ts'
import { type Form, readBasic, readForm } from '../rules/form.ts'
import { resourceMetadata, serverMetadata } from '../rules/metadata.ts'
import { PAGE_FILES, pageFile } from '../rules/page-files.ts'
import { invalidRequest, OAuthRefusal } from '../rules/refusal.ts'
import { tokenThrottle } from '../services/token-throttle.ts'

const uses = { ...tokenUses, ...clientUses, ...approvalUses, throttle: tokenThrottle, config }
type Refs = Resolved<typeof uses>
type Ctx = Pick<CallContext, 'tenantId' | 'signal' | 'now' | 'newId' | 'log'>

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const RESOURCE = '/.well-known/oauth-protected-resource'
const SERVER = '/.well-known/oauth-authorization-server'

/** The endpoints of OAuth that need no credential. All are 404 while OAuth is off. */
export const oauthEndpoints = contribute(publicEndpoints, {
  uses,
  create: (refs, ctx) => ({
    async answer(request) {
      const issuer = issuerOf(refs.config)
      if (issuer === undefined) return undefined
      try {
        return READS.has(request.method) ? get(refs, request, issuer) : await post(refs, request, issuer, ctx)
      } catch (error) {
        if (error instanceof OAuthRefusal) return refused(error)
        throw error
      }
    },
  }),
})

function get({ config, assertions }: Refs, { path }: PublicRequest, issuer: string): PublicAnswer | undefined {
  if (path === SERVER) return json(200, serverMetadata(issuer, { registration: config.registration, assertions: assertions.isOn }))
  if (path === RESOURCE) return json(200, resourceMetadata(issuer, '/mcp'))
  if (path.startsWith(RESOURCE) && isView(path.slice(RESOURCE.length)))
    return json(200, resourceMetadata(issuer, path.slice(RESOURCE.length)))
  return path in PAGE_FILES ? pageFile(path) : undefined
}

async function post(refs: Refs, request: PublicRequest, issuer: string, ctx: Ctx): Promise<PublicAnswer | undefined> {
  const { method, path, query, headers, body, address } = request
  if (method !== 'POST') return undefined
  // A secret in the address would stay in logs and histories.
  const form = (): Form => {
    if (query !== '') throw invalidRequest('Parameters are sent in the body, as a form.')
    if (!/^application\/x-www-form-urlencoded\b/i.test(String(headers['content-type'])))
      throw invalidRequest('The body must be application/x-www-form-urlencoded.')
    return readForm(body)
  }
  switch (path) {
    case '/oauth/token':
      return json(200, await throttled(refs, request, form(), issuer, ctx))
    case '/oauth/revoke':
      await revoke(refs, form(), request.audit)
      return json(200, {})
    case '/oauth/register':
      if (!refs.config.registration) return undefined
      refs.throttle.begin('clients', address, ctx.now().getTime())
      return json(201, await register(refs.clients, body, ctx))
    case '/oauth/device_authorization': {
      const { client_id: clientId, scope } = form()
      refs.throttle.begin('devices', address, ctx.now().getTime())
      const client = await findClient(refs, clientId, ctx)
      return json(200, await beginDevice(refs.devices, { client, scopes: askedScopes(scope) }, issuer, ctx))
    }
    case '/oauth/device':
      return json(200, await answerApproval(refs, form(), ctx))
    default:
      return undefined
  }
}

/** Refusals that a client causes by waiting for a person are not failures. */
const PENDING: ReadonlySet<string> = new Set(['authorization_pending', 'slow_down'])

async function throttled(refs: Refs, { address, headers, audit }: PublicRequest, form: Form, issuer: string, ctx: Ctx): Promise<object> {
  const { authorization } = headers
  const now = ctx.now().getTime()
  refs.throttle.admit({ address, clientId: readBasic(authorization)?.clientId ?? form.client_id ?? '' }, now)
  const { log, tenantId, signal } = ctx
  const recording = { now: () => ctx.now(), newId: (prefix: string) => ctx.newId(prefix), log, tenantId, signal, record: audit }
  try {
    return await answerTokenRequest(refs, { form, authorization, issuer }, recording)
  } catch (error) {
    if (error instanceof OAuthRefusal && !PENDING.has(error.error)) refs.throttle.failed(address, now)
    throw error
  }
}
