import type { Gateway } from '@gateway/kernel'
import { dashboard } from '@gateway/pages'
import { type FastifyInstance, fastify } from 'fastify'
import { accessLog } from './access-log.ts'
import { BodyLimits } from './body-limits.ts'
import type { Connections } from './connections.ts'
import { dashboardData } from './dashboard.ts'
import { DefaultPages } from './default-pages.ts'
import { errorBodies } from './error-bodies.ts'
import { failuresOf } from './failures.ts'
import { setCommonHeaders } from './guard.ts'
import { journalStream } from './live/journal-stream.ts'
import { events } from './live/stream.ts'
import type { LoadShedder } from './load-shedder.ts'
import { mcp } from './mcp-endpoint.ts'
import { measures } from './measures.ts'
import { metricsPage } from './metrics-page.ts'
import { notFound } from './not-found.ts'
import { reference } from './openapi/reference.ts'
import { probes } from './probes/probes.ts'
import { publicEndpoints } from './public-endpoints.ts'
import { publicFiles } from './public-files.ts'
import { sendError } from './reply.ts'
import { entrance } from './request-hooks.ts'
import { rest } from './rest.ts'
import { ServedRoutes } from './served-routes.ts'
import { serverOptions } from './server-options.ts'
import { takeJson } from './take-json.ts'

/**
 * Creates the HTTP application. Its routes exist once `ready()` resolves, which rejects if one of them is faulty; nothing listens
 * yet.
 */
export function createApp(gateway: Gateway, shedder: LoadShedder, connections: Connections): FastifyInstance {
  const { inventory } = gateway
  const failures = failuresOf(gateway)
  const noteAccess = accessLog(gateway)
  const limits = new BodyLimits(gateway)
  const pages = dashboard(gateway)
  const routes = new ServedRoutes()
  const defaults = new DefaultPages(inventory.plugins)

  const app = fastify(
    serverOptions(gateway.settings, (failure, request, reply) => {
      noteAccess?.(request, reply)
      setCommonHeaders(reply)
      sendError(reply, failures(failure, reply))
    }),
  )
  app.decorate('errorBody', errorBodies(gateway))
  connections.watch(app.server)
  // The total size is bounded instead. A bound on the number would drop the last headers, such as a proxy's x-forwarded-for.
  app.server.maxHeadersCount = 0
  app.setErrorHandler((failure, _request, reply) => sendError(reply, failures(failure, reply)))
  takeJson(app, (body) => limits.read(body, undefined))
  app.addHook('onRoute', (route) => routes.add(route))

  app.register(entrance, { gateway, shedder, connections, noteAccess })
  app.register(measures, { gateway, connections })
  app.register(probes, { gateway, shedder })
  app.register(metricsPage, { gateway })
  app.register(reference, { routes, inventory, defaults })
  app.register(dashboardData, { gateway, pages })
  app.register(events, { gateway, pages })
  app.register(journalStream, { gateway })
  app.register(mcp, { gateway, shedder, limits, failures })
  app.register(rest, { gateway, limits })
  app.register(publicEndpoints, { gateway, shedder })
  app.register(publicFiles, { inventory, defaults })
  app.register(notFound, { routes })
  return app
}
