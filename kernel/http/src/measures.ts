import type { Gateway } from '@gateway/kernel'
import { refusals } from '@gateway/metrics'
import { defineMetric, type ToolError } from '@gateway/sdk'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Connections } from './connections.ts'

const requestDuration = defineMetric('http.server.request.duration', {
  kind: 'histogram',
  description: 'Duration of HTTP requests, from the last header to the end of the response; of an event stream, the time it was open.',
  unit: 's',
  labels: ['http.request.method', 'http.route', 'http.response.status_code', 'url.scheme', 'error.type'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
})
const connectionsOpen = defineMetric('gateway.http.connections', {
  kind: 'gauge',
  description: 'Connections that are open now.',
  unit: '{connection}',
})
const unsent = defineMetric('gateway.http.unsent', {
  kind: 'gauge',
  description: 'Responses that wait in sockets for slow clients, and requests that wait behind others on their connection.',
  unit: 'By',
})

const METHODS: ReadonlySet<string> = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE'])
const OTHER = '_OTHER'
/** Requests that match no route share one series. */
const NO_ROUTE = ''

interface Parts {
  readonly gateway: Gateway
  readonly connections: Connections
}

const measure: FastifyPluginAsync<Parts> = async (app, { gateway: { metrics }, connections }) => {
  const durations = metrics.of(requestDuration)
  app.addHook('onResponse', (request, reply, done) => {
    const method = METHODS.has(request.method) ? request.method : OTHER
    const status = String(reply.statusCode)
    // A fault of the caller is not an error of the server.
    const error = reply.statusCode >= 500 ? status : ''
    durations.observe(reply.elapsedTime / 1_000, method, request.routeOptions.url ?? NO_ROUTE, status, schemeOf(request), error)
    done()
  })
  metrics.onLook(() => {
    metrics.of(connectionsOpen).set(connections.size)
    metrics.of(unsent).set(connections.waitingBytes)
  })
}

/**
 * Scheme that the client used, as reported by a proxy; the gateway itself speaks HTTP. A wrong report only changes the
 * reporter's own figure.
 */
function schemeOf({ headers: { 'x-forwarded-proto': proto, forwarded } }: FastifyRequest): 'http' | 'https' {
  const isTls =
    (typeof proto === 'string' && /^https\b/i.test(proto)) || (forwarded !== undefined && /(?:^|[;,\s])proto="?https\b/i.test(forwarded))
  return isTls ? 'https' : 'http'
}

/** Measures request durations per route, by OpenTelemetry's conventions for HTTP, and pending work. */
export const measures = fp(measure, { name: 'measures' })

/** Counts requests refused before a call began that would count them. */
export function refusalMeter({ metrics }: Gateway): (error: unknown) => void {
  const counted = metrics.of(refusals)
  return (error) => {
    const { code } = error as Partial<ToolError>
    if (typeof code === 'string') counted.add(1, code)
  }
}
