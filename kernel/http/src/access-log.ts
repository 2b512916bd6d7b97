import type { Gateway } from '@gateway/kernel'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { onReplyEnd } from './reply-end.ts'

export type AccessLog = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Logs one line per request when its answer has ended, or nothing if the setting is off. It logs the route's pattern instead of
 * the path, which may contain a caller's secret; a path that matches no route is omitted. `cut` means that the client
 * disconnected.
 */
export function accessLog({ settings, log }: Pick<Gateway, 'settings' | 'log'>): AccessLog | undefined {
  if (!settings.accessLog) return undefined
  // Has its own level: a service that logs only warnings still has its access log.
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
