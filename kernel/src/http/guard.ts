import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Principal } from '@gateway/sdk'
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { checkHost, identify, type RequestFacts } from '../access/identify.ts'
import type { Settings } from '../settings/settings.ts'
import type { Load } from './load.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on every path that is not open. */
    principal: Principal
  }
}

/** Pages that need no credential: probes and the API’s description. They are also answered under load. */
const OPEN: ReadonlySet<string> = new Set(['/health', '/health/deep', '/status', '/api/openapi.json', '/api/docs'])

const EXPOSED = 'x-request-id, mcp-session-id, retry-after'

/** First thing on every request: headers of every answer, who is calling, and whether there is room. */
export function guard(settings: Settings, load: Load) {
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff').header('cache-control', 'no-store')
    try {
      check(request, reply, settings, load)
      done()
    } catch (error) {
      done(error as Error)
    }
  }
}

function check(request: FastifyRequest, reply: FastifyReply, settings: Settings, load: Load): void {
  const { headers, socket, url } = request.raw
  const facts: RequestFacts = { peerAddress: socket.remoteAddress ?? '', host: headers.host, origin: headers.origin, headers }
  // A browser may read the answer only when its origin is allowed, refusals of the next steps included.
  if (facts.origin !== undefined) {
    checkHost(facts, settings)
    allowOrigin(reply, facts.origin)
  }
  // A preflight carries no credential by design, and says only which methods a path has.
  if (OPEN.has(pathOf(url ?? '')) || request.method === 'OPTIONS') return checkHost(facts, settings)
  request.principal = identify(facts, settings)
  load.admit()
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
