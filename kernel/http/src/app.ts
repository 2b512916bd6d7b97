import { clientAddress, type Gateway } from '@gateway/kernel'
import { dashboard } from '@gateway/pages'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { accessLog } from './access-log.ts'
import { BodyLimits } from './body-limits.ts'
import { clientError, MAX_HEADER_BYTES } from './client-error.ts'
import type { Connections } from './connections.ts'
import { addDashboard } from './dashboard.ts'
import type { Door } from './door.ts'
import { type Failures, toToolError } from './errors.ts'
import { guard, requestId, setCommonHeaders } from './guard.ts'
import { addEvents } from './live/stream.ts'
import { addMcp } from './mcp-endpoint.ts'
import { measureRequests } from './measures.ts'
import { addMetricsPage } from './metrics-page.ts'
import { notFound, type RouteTable } from './not-found.ts'
import { addPages } from './pages.ts'
import { addProbes } from './probes.ts'
import { addPublicFiles } from './public-files.ts'
import { sendError } from './reply.ts'
import { addRoutes } from './routes.ts'

/** Longer than the pauses of an agent between two calls, so that it seldom dials anew. */
const KEEP_ALIVE_MS = 72_000
/** Path parameters may be long names, percent-encoded; headers bound them. */
const MAX_PARAM_LENGTH = MAX_HEADER_BYTES

function noCompiler(): never {
  throw new Error('Routes have no schema of Fastify’s.')
}

/** The HTTP application: nothing listens yet. */
export function createApp(gateway: Gateway, door: Door, connections: Connections): FastifyInstance {
  const { settings } = gateway
  const limits = new BodyLimits(gateway)
  const noteAccess = accessLog(gateway)
  const failures: Failures = (failure, reply) => {
    const { request } = reply
    const error = toToolError(failure, {
      contentType: request.headers['content-type'],
      limitBytes: request.routeOptions.bodyLimit ?? settings.bodyLimitBytes,
    })
    if (error.status >= 500 && error.status !== 503) {
      gateway.log.error({ err: failure, requestId: request.id, method: request.method, path: request.routeOptions.url }, 'a request failed')
    }
    // Fastify would hang up, and who still sends would often get a reset in place of the answer. Without this header, Node reads on
    // and drops what comes, for as long as any request may take.
    if (error.code === 'PAYLOAD_TOO_LARGE') reply.removeHeader('connection')
    return error
  }
  const onError = (failure: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendError(reply, failures(failure, reply))

  const app = fastify({
    // A logger per request costs more than a cheap call; what matters is logged by the kernel and by `failures`.
    logger: false,
    bodyLimit: settings.bodyLimitBytes,
    requestTimeout: settings.requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    return503OnClosing: false,
    clientErrorHandler: clientError(settings),
    // A path that cannot be decoded reaches no hook.
    frameworkErrors: (failure, request, reply) => {
      noteAccess?.(request as FastifyRequest, reply as FastifyReply)
      setCommonHeaders(reply as FastifyReply)
      onError(failure, request, reply as FastifyReply)
    },
    genReqId: requestId,
    // The registry checks arguments. Fastify’s own compilers, which it loads unless it is given others, would cost the start.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: settings.requestTimeoutMs,
      // How often Node looks for requests that are out of time; its default of 30 s would let them linger.
      connectionsCheckingInterval: Math.min(1_000, settings.requestTimeoutMs),
      // Answered by the guard, with a record, like any other foreign Host.
      requireHostHeader: false,
      // Node would keep the first of two Authorization or Host headers in silence; a proxy in front may go by the last.
      joinDuplicateHeaders: true,
    },
  })
  connections.watch(app.server)
  // The size is bounded. A bound on the number drops the last headers, a proxy’s x-forwarded-for among them.
  app.server.maxHeadersCount = 0

  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      const { url, config } = request.routeOptions
      if (url?.startsWith('/mcp') || url === '/sse/messages') done(null, limits.readMessage(body))
      else done(null, limits.read(body, config.operation ?? (request.params as { name?: string }).name))
    } catch (error) {
      done(error as Error)
    }
  })
  app.decorateRequest('principal')
  app.decorate('addressOf', clientAddress(settings.trustedProxies))
  if (noteAccess) {
    app.addHook('onRequest', (request, reply, done) => {
      noteAccess(request, reply)
      done()
    })
  }
  app.addHook('onRequest', guard(gateway, door, connections))
  app.setErrorHandler(onError)

  const routes: RouteTable[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    // To a program they are not there.
    if (config?.credential === 'none') return
    for (const one of [method].flat()) routes.push({ method: one, path: url })
  })
  measureRequests(app, gateway, connections)
  addProbes(app, gateway, door)
  addMetricsPage(app, gateway)
  addPages(app, gateway)
  const pages = dashboard(gateway)
  addDashboard(app, gateway, pages)
  addEvents(app, gateway, pages)
  addMcp(app, gateway, door, { limits, failures })
  addRoutes(app, gateway, limits)
  addPublicFiles(app, gateway)
  app.setNotFoundHandler(notFound(routes))
  return app
}
