import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkHost } from '@gateway/access'
import type { Gateway } from '@gateway/kernel'
import { EXPOSITION_TYPE, exposition } from '@gateway/metrics'
import type { FastifyPluginAsync } from 'fastify'
import { ref } from './openapi/json.ts'
import { answer, page, text } from './openapi/page.ts'
import { security } from './openapi/security.ts'

const PATH = '/metrics'
const LOOPBACK = '127.0.0.1'
/** A scraper needs one or two. */
const MAX_CONNECTIONS = 50
const MAX_REQUEST_MS = 5_000

const exposed = async ({ metrics }: Pick<Gateway, 'metrics'>): Promise<string> => exposition(await metrics.snapshot())

const schema = page('metrics', 'What is measured, for Prometheus.', {
  responses: {
    200: answer('The text format of Prometheus, 0.0.4.', text, 'text/plain'),
    default: ref('responses', 'Error'),
  },
  security: [...security('caller'), ...security('admin')],
})

/** `/metrics` for Prometheus. It is for the operator, because it shows the activity of all tenants together. */
export const metricsPage: FastifyPluginAsync<{ gateway: Gateway }> = async (app, { gateway }) => {
  app.get(PATH, { schema, config: { credential: 'operator' } }, async (_request, reply) =>
    reply.header('content-type', EXPOSITION_TYPE).send(await exposed(gateway)),
  )
}

/** `/metrics` on a loopback port of its own, for a scraper on this machine that carries no credential. */
export interface MetricsPort {
  /** `http://127.0.0.1:port/metrics`. */
  readonly url: string
  close(): Promise<void>
}

/** Rejects if the port cannot be opened. */
export async function openMetricsPort(gateway: Gateway, port: number): Promise<MetricsPort> {
  const server = createServer({ requestTimeout: MAX_REQUEST_MS, headersTimeout: MAX_REQUEST_MS }, (request, response) => {
    const answer = (status: number, body: string, type = 'text/plain; charset=utf-8'): void =>
      void response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }).end(body)
    // A page in a browser on this machine must not read it under a rebound name.
    if (request.headers.origin !== undefined || !isLoopbackName(request.headers.host)) return answer(403, 'Only for this machine.\n')
    if (request.url?.split('?')[0] !== PATH) return answer(404, `Only ${PATH} is here.\n`)
    if (request.method !== 'GET') return answer(405, 'Only GET.\n')
    exposed(gateway).then(
      (body) => answer(200, body, EXPOSITION_TYPE),
      (error: unknown) => {
        gateway.log.error({ err: error }, 'the metrics could not be rendered')
        answer(500, 'The metrics could not be rendered; the log has the reason.\n')
      },
    )
  })
  server.maxConnections = MAX_CONNECTIONS
  await listening(server, port)
  server.on('error', (error) => gateway.log.error({ err: error }, 'the port of the metrics failed'))
  return {
    url: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}${PATH}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function isLoopbackName(host: string | undefined): boolean {
  try {
    checkHost({ host }, { allowedHosts: [], allowedOrigins: [] })
    return true
  } catch {
    return false
  }
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      reject(new Error(code === 'EADDRINUSE' ? `${LOOPBACK}:${port} is taken; set GATEWAY_METRICS_PORT to a free port` : message)),
    )
    server.listen(port, LOOPBACK, resolve)
  })
}
