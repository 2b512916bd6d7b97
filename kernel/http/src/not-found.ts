import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { MethodNotAllowed, RouteNotFound } from './errors.ts'
import { pathOf } from './guard.ts'
import { sendError } from './reply.ts'
import type { ServedRoute, ServedRoutes } from './served-routes.ts'

const ALLOW_HEADERS =
  'authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, x-admin-token, x-api-key, x-request-id'
/** Header names chosen by tools: a page may send those it asks for. */
const PARAM_HEADER = /^mcp-param-[\w!#$%&'*+.^`|~-]+$/i

const answerTheRest: FastifyPluginAsync<{ routes: ServedRoutes }> = async (app, { routes }) => {
  app.setNotFoundHandler(notRouted(routes))
}

/**
 * Answers requests that no route takes: a preflight or OPTIONS, a known path with another method, an unknown path. It runs off
 * the hot path. Registering the missing methods as routes would let `/api/x/bulk` shadow `/api/x/:id`. It is registered last,
 * because it searches the routes that exist by then.
 */
export const notFound = fp(answerTheRest, { name: 'not-found' })

function notRouted(routes: Iterable<ServedRoute>) {
  const known = [...routes].map(({ method, path }) => ({ method, pattern: patternOf(path) }))
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = pathOf(request.url)
    const allow = methodsOf(path)
    const shown = path.slice(0, 200)
    if (allow.length === 0) return sendError(reply, RouteNotFound({ method: request.method, path: shown }))
    reply.header('allow', allow.join(', '))
    if (request.method !== 'OPTIONS') return sendError(reply, MethodNotAllowed({ method: request.method, path: shown, allow }))
    if (request.headers.origin !== undefined) {
      reply
        .header('access-control-allow-methods', allow.join(', '))
        .header('access-control-allow-headers', allowHeaders(request.headers['access-control-request-headers']))
        .header('access-control-max-age', '600')
    }
    return reply.code(204).send()
  }

  function methodsOf(path: string): string[] {
    const methods = new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
    if (methods.size > 0) methods.add('OPTIONS')
    return [...methods].sort()
  }
}

function allowHeaders(asked = ''): string {
  const params = asked
    .split(',')
    .map((name) => name.trim())
    .filter((name) => PARAM_HEADER.test(name))
  return [ALLOW_HEADERS, ...params].join(', ')
}

function patternOf(path: string): RegExp {
  const literal = path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll(/:\w+/g, '[^/]+')}$`)
}
