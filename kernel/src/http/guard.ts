import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Credential, Principal } from '@gateway/sdk'
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { checkHost, type RequestFacts } from '../access/origin.ts'
import type { Gateway } from '../gateway.ts'
import type { Load } from './load.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on every path that is not open. */
    principal: Principal
  }
  interface FastifyContextConfig {
    /** What a route asks of its caller; `caller` when it does not say. */
    credential?: Credential
  }
}

/** Pages that need no credential: probes and the API’s description. They are also answered under load. */
const OPEN: ReadonlySet<string> = new Set(['/health', '/health/deep', '/status', '/api/openapi.json', '/api/docs'])

const EXPOSED = 'x-request-id, mcp-session-id, retry-after'

/** On every answer, also one to a request that never reached a route. */
export function setCommonHeaders(reply: FastifyReply): void {
  const { id, method } = reply.request
  reply.header('x-request-id', id).header('x-content-type-options', 'nosniff')
  // No cache keeps an answer to another method.
  if (method === 'GET' || method === 'HEAD') reply.header('cache-control', 'no-store')
}

/** First thing on every request: headers of every answer, who is calling, and whether there is room. */
export function guard(gateway: Gateway, load: Load) {
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    setCommonHeaders(reply)
    let principal: ReturnType<typeof check>
    try {
      principal = check(request, reply, gateway)
    } catch (error) {
      return done(error as Error)
    }
    // Known callers are admitted at once: a turn of the event loop on every call would cost more than the look-up it saves.
    if (principal instanceof Promise) principal.then((known) => admit(request, known, load, done), done)
    else admit(request, principal, load, done)
  }
}

function admit(request: FastifyRequest, principal: Principal | undefined, load: Load, done: HookHandlerDoneFunction): void {
  if (principal === undefined) return done()
  request.principal = principal
  const refusal = load.refusal()
  if (refusal === undefined) done()
  else done(refusal)
}

export function factsOf({ raw: { headers, socket } }: FastifyRequest): RequestFacts {
  return { peerAddress: socket.remoteAddress ?? '', host: headers.host, origin: headers.origin, headers }
}

/** The caller, or undefined where none is asked for. */
function check(request: FastifyRequest, reply: FastifyReply, { settings, access }: Gateway): Principal | Promise<Principal> | undefined {
  const facts = factsOf(request)
  // A browser may read the answer only when its origin is allowed, refusals of the next steps included.
  if (facts.origin !== undefined) {
    checkHost(facts, settings)
    allowOrigin(reply, facts.origin)
  }
  // A preflight carries no credential by design, and says only which methods a path has.
  if (OPEN.has(pathOf(request.raw.url ?? '')) || request.method === 'OPTIONS') {
    checkHost(facts, settings)
    return undefined
  }
  return access.identify(facts, request.routeOptions.config.credential)
}

/** With credentials: the allow-list names single hosts, and the dashboard’s session is a cookie. */
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

/** The caller’s `x-request-id` when it is harmless in logs and headers, else one that is unique across restarts. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  if (typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)) return given
  return `${PROCESS}-${(++served).toString(36)}`
}
