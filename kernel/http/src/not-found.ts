import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { MethodNotAllowed, RouteNotFound } from './errors.ts'
import { pathOf } from './guard.ts'
import { allowPage } from './preflight.ts'
import { sendError } from './reply.ts'
import type { ServedRoute, ServedRoutes } from './served-routes.ts'

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
    const { origin, 'access-control-request-headers': asked } = request.headers
    if (origin !== undefined) allowPage(reply, allow.join(', '), asked)
    return reply.code(204).send()
  }

  function methodsOf(path: string): string[] {
    const methods = new Set(known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))
    if (methods.size > 0) methods.add('OPTIONS')
    return [...methods].sort()
  }
}

function patternOf(path: string): RegExp {
  const literal = path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll(/:\w+/g, '[^/]+')}$`)
}
