import type { Gateway } from '@gateway/kernel'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { onReplyEnd } from './reply-end.ts'

/** Told of each request as it begins. */
export type AccessLog = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * One line per request when its answer has ended, or nothing where the setting is off. The route is the pattern and not the path,
 * which may hold what its caller keeps secret; a path that is no route is not shown. `cut` says that the client had gone.
 */
export function accessLog({ settings, log }: Pick<Gateway, 'settings' | 'log'>): AccessLog | undefined {
  if (!settings.accessLog) return undefined
  // A level of its own: a service that logs warnings alone still has its access log.
  const access = log.child({ event: 'http.request' }, { level: 'info' })
  return (request, reply) => {
    const begun = performance.now()
    onReplyEnd(reply, () => {
      const { id, method, routeOptions, principal } = request as FastifyRequest & Partial<Pick<FastifyRequest, 'principal'>>
      access.info({
        method,
        route: routeOptions?.url ?? null,
        ...(routeOptions?.config?.operation !== undefined && { operation: routeOptions.config.operation }),
        status: reply.raw.statusCode,
        ms: Math.round((performance.now() - begun) * 10) / 10,
        ...(principal && { tenantId: principal.tenantId, caller: principal.id }),
        requestId: id,
        ...(!reply.raw.writableFinished && { cut: true }),
      })
    })
  }
}
