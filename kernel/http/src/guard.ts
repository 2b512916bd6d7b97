import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { checkHost, checkOrigin } from '@gateway/access'
import { type Gateway, LOCAL_TENANT, type RequestFacts, Unauthorized } from '@gateway/kernel'
import { type Credential, Forbidden, type Principal, SESSION_COOKIE } from '@gateway/sdk'
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { connectionOf } from './connection.ts'
import type { Connections } from './connections.ts'
import { CallerChanged } from './errors.ts'
import type { LoadShedder } from './load-shedder.ts'
import { refusalMeter } from './measures.ts'
import { type OwnRequest, ownCredentials } from './own-credential.ts'
import { oauthChallenge } from './token-scope.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on every path that needs a credential. */
    principal: Principal
  }
  interface FastifyContextConfig {
    /**
     * Credential that a route needs; default `caller`. `operator`: the operator's token, or a caller that is the operator
     * without it. `none`: the same for everyone, and answered under load.
     */
    credential?: Credential | 'operator' | 'none'
    /** The tool or route bound to the path; for a raw route the name its credentials are known by. */
    operation?: string
  }
}

/** Probes need no credential, and no name of the gateway either, because monitors call it by an address. They are also answered under load. */
const PROBES: ReadonlySet<string> = new Set(['/health', '/health/deep', '/ready', '/status'])

/** Header in which a page names the caller that it was made for: the tenant and the id, joined by a space and percent-encoded. */
const CALLER_HEADER = 'x-gateway-caller'

const EXPOSED = 'x-request-id, mcp-session-id, retry-after, www-authenticate, idempotency-replayed, idempotency-omitted'

/** Sets the headers of every answer, also for a request that reached no route. */
export function setCommonHeaders(reply: FastifyReply): void {
  const { id, method } = reply.request
  reply.header('x-request-id', id).header('x-content-type-options', 'nosniff')
  // No cache keeps an answer to another method.
  if (method === 'GET' || method === 'HEAD') reply.header('cache-control', 'no-store')
}

/** First step of every request: common headers, the caller, and admission. */
export function guard(gateway: Gateway, shedder: LoadShedder, connections: Connections) {
  const own = ownCredentials(gateway)
  const countRefusal = refusalMeter(gateway)

  function enter(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    setCommonHeaders(reply)
    // The client opens its next connection to a gateway that stays.
    if (shedder.state === 'draining') reply.header('connection', 'close')
    const refuse = (error: unknown): void => {
      countRefusal(error)
      const { code } = error as { code?: unknown }
      if (code === Unauthorized.code) reply.header('www-authenticate', challenge(request, gateway))
      if (code === Unauthorized.code && cameBySession(request)) {
        // Removes the cookie: otherwise a browser whose session has ended could not even make requests that need no credential. The session
        // of a suspended tenant goes on when that is active again; without its cookie a local browser would become the operator.
        reply.header('set-cookie', `${SESSION_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`)
      }
      done(error as Error)
    }
    let principal: ReturnType<typeof check>
    try {
      principal = check(request, reply, gateway, own)
    } catch (error) {
      return refuse(error)
    }
    // Known callers are admitted synchronously: a turn of the event loop per call would cost more than the look-up it saves.
    if (principal instanceof Promise) principal.then((known) => admit(request, reply, known, done), refuse)
    else admit(request, reply, principal, done)
  }

  function admit(request: FastifyRequest, reply: FastifyReply, principal: Principal | undefined, done: HookHandlerDoneFunction): void {
    if (principal === undefined) return done()
    request.principal = principal
    const { tenantId } = principal
    const tooMany = connections.assignTenant(request.raw.socket, tenantId)
    if (tooMany !== undefined) reply.header('connection', 'close')
    const refusal = tooMany ?? otherCaller(request) ?? shedder.refusal(tenantId) ?? gateway.rates.refusal(principal)
    if (refusal === undefined) return done()
    countRefusal(refusal)
    done(refusal)
  }

  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    // A response without a socket waits for that of an earlier request on the same connection.
    const connection = reply.raw.socket === null ? connectionOf(request.raw.socket) : undefined
    if (connection === undefined) enter(request, reply, done)
    else connection.queue(reply, () => enter(request, reply, done))
  }
}

/** Refuses a page that was made for another caller than the one its browser now is. */
function otherCaller({ headers, routeOptions, principal: { tenantId, id } }: FastifyRequest): Error | undefined {
  const { [CALLER_HEADER]: expected } = headers
  const { credential = 'caller' } = routeOptions.config
  if (expected === undefined || credential !== 'caller') return undefined
  const got = encodeURIComponent(`${tenantId} ${id}`)
  return expected === got ? undefined : CallerChanged({ expected: String(expected), got })
}

/**
 * Returns the authentication schemes that a refused caller may use. It names `resource_metadata` if the gateway offers OAuth and
 * the caller sent no API key: a client with a wrong key needs another key, and would leave its key aside if it found OAuth.
 */
function challenge({ routeOptions, headers, raw }: FastifyRequest, gateway: Gateway): string {
  const { credential = 'caller' } = routeOptions.config
  // Basic makes a browser ask its user, who knows no password if a page has sent a token.
  const own = headers.authorization?.startsWith('Bearer') ? 'Bearer' : 'Basic'
  const scheme = credential === 'own' ? own : credential === 'caller' ? 'Bearer' : 'X-Admin-Token'
  const sentKey = headers['x-api-key'] !== undefined || /^Bearer +gw_/i.test(headers.authorization ?? '')
  const oauth = credential === 'caller' && !sentKey ? oauthChallenge(gateway, raw.url ?? '') : undefined
  if (oauth === undefined) return `${scheme} realm="gateway"`
  return `${scheme} realm="gateway"${headers.authorization === undefined ? '' : ', error="invalid_token"'}, ${oauth}`
}

/** True if the session cookie was the refused credential. An operator's route needs another one. */
function cameBySession({ headers, routeOptions }: FastifyRequest): boolean {
  const { credential = 'caller' } = routeOptions.config
  const { 'x-api-key': apiKey, authorization, 'x-gateway-local-token': localToken, cookie = '' } = headers
  return (
    credential === 'caller' &&
    apiKey === undefined &&
    authorization === undefined &&
    localToken === undefined &&
    cookie.includes(`${SESSION_COOKIE}=`)
  )
}

export function factsOf({ raw: { headers, socket, httpVersion, method = 'GET', url = '' } }: FastifyRequest): RequestFacts {
  return {
    peerAddress: socket.remoteAddress ?? '',
    // An injected request has no socket and no port.
    port: socket.localPort ?? 0,
    httpVersion,
    method,
    // A request line with a whole URL names its host there, and the Host header is ignored (RFC 9112, 3.2.2).
    host: WHOLE_URL.exec(url)?.[1] ?? headers.host,
    origin: headers.origin,
    headers,
  }
}

const WHOLE_URL = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i

/** Returns the caller, or undefined if none is needed. */
function check(
  request: FastifyRequest,
  reply: FastifyReply,
  { settings, access }: Gateway,
  own: (request: OwnRequest) => Promise<Principal>,
): Principal | Promise<Principal> | undefined {
  const facts = factsOf(request)
  const path = pathOf(request.raw.url ?? '')
  if (PROBES.has(path)) {
    answerOrigin(facts, reply, settings)
    return undefined
  }
  checkHost(facts, settings)
  // A browser may read the answer only if its origin is allowed, including refusals of the next steps.
  answerOrigin(facts, reply, settings)
  const { credential, operation = '' } = request.routeOptions.config
  // A preflight carries no credential by design, and only learns which methods a path has.
  if (request.method === 'OPTIONS' || credential === 'none') return undefined
  if (credential === 'signed') return { id: `signed ${operation}`, kind: 'api-key', role: 'member', tenantId: LOCAL_TENANT }
  if (credential === 'own') return own({ route: operation, owner: (request.params as { owner?: string }).owner ?? '', facts })
  return credential === 'operator' ? operatorOf(facts, access) : access.identify(facts, credential)
}

/** Accepts the operator's token if it is sent, otherwise a caller that is the operator: local trust, or the local token. */
async function operatorOf(facts: RequestFacts, access: Gateway['access']): Promise<Principal> {
  const principal = await access.identify(facts, facts.headers['x-admin-token'] === undefined ? 'caller' : 'admin')
  if (principal.role === 'operator') return principal
  throw Forbidden({ message: 'This page is for the operator: it needs X-Admin-Token, the local token, or a local request.' })
}

function answerOrigin(facts: RequestFacts, reply: FastifyReply, settings: Gateway['settings']): void {
  if (facts.origin === undefined) return
  checkOrigin(facts, settings)
  allowOrigin(reply, facts.origin)
}

/** Credentials are allowed, because the allow list names single hosts and the dashboard's session is a cookie. */
function allowOrigin(reply: FastifyReply, origin: string): void {
  reply
    .header('access-control-allow-origin', origin)
    .header('access-control-allow-credentials', 'true')
    .header('access-control-expose-headers', EXPOSED)
    .header('vary', 'origin')
}

export function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

const PROCESS = randomBytes(5).toString('hex')
let served = 0

/** Uses the caller's `x-request-id` if it is harmless in logs and headers, otherwise an id that is unique across restarts. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  if (typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)) return given
  return `${PROCESS}-${(++served).toString(36)}`
}
