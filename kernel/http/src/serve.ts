import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Gateway } from '@gateway/kernel'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import { Connections } from './connections.ts'
import { LoadShedder } from './load-shedder.ts'
import { openMetricsPort } from './metrics-page.ts'

/** A request without a socket; it comes from 127.0.0.1. An object as body is sent as JSON. */
interface InjectedRequest {
  readonly method: string
  readonly url: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
}
interface Injected {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: the reader knows what it asked for
  json(): any
}

export interface Served {
  /** `http://host:port`, or '' if nothing listens. */
  readonly url: string
  /** Address of the separate `/metrics` port, or ''. */
  readonly metricsUrl: string
  /** Makes `/ready` succeed; for callers that served with `starting`. */
  started(): void
  inject(request: InjectedRequest): Promise<Injected>
  /**
   * Makes `/ready` fail, and still accepts calls for `drainMs`, each as the last of its connection. Then refuses new calls with 503 while running ones are answered (within
   * `stopTimeoutMs`), and closes the connections. The gateway itself continues to run.
   */
  close(): Promise<void>
}

/**
 * Serves MCP and REST. `listen: false` allows only `inject`; `starting` is not ready until `started`. Rejects if an address
 * cannot be opened.
 */
export async function serve(
  gateway: Gateway,
  { listen = true, starting = false }: { listen?: boolean; starting?: boolean } = {},
): Promise<Served> {
  const shedder = new LoadShedder(gateway.admission, undefined, { starting })
  const connections = new Connections(gateway.admission)
  shedder.onClose(() => gateway.endWaits())
  const app = createApp(gateway, shedder, connections)
  await app.ready().then(undefined, giveUp)
  if (listen) await bind(app, gateway, shedder)
  const { metricsPort } = gateway.settings
  const metrics = listen && metricsPort !== undefined ? await openMetricsPort(gateway, metricsPort).catch(giveUp) : undefined

  async function giveUp(error: unknown): Promise<never> {
    shedder.close()
    await app.close()
    throw error
  }

  return {
    url: listen ? urlOf(app.server.address() as AddressInfo) : '',
    metricsUrl: metrics?.url ?? '',
    started: () => shedder.started(),
    async inject({ method, url, headers, body }) {
      const response = await app.inject({
        method: method as 'GET',
        url,
        ...(headers && { headers }),
        ...(body !== undefined && { payload: body as string | object }),
      })
      return { status: response.statusCode, headers: response.headers, body: response.body, json: () => JSON.parse(response.body) }
    },
    async close() {
      const { drainMs, stopTimeoutMs } = gateway.settings
      shedder.drain()
      if (listen && drainMs > 0) {
        connections.closeAfterAnswers()
        await sleep(drainMs)
      }
      const begun = performance.now()
      shedder.close()
      if (listen) await lastCalls(gateway, stopTimeoutMs)
      await drain(app, connections, Math.max(0, stopTimeoutMs - (performance.now() - begun)))
      await metrics?.close()
    },
  }
}

async function bind(app: FastifyInstance, { settings: { host, port }, log }: Gateway, shedder: LoadShedder): Promise<void> {
  try {
    await app.listen({ host, port, listenTextResolver: () => '' })
  } catch (error) {
    shedder.close()
    await app.close()
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new Error(`${host}:${port} is taken by another process; set GATEWAY_PORT to a free port`, { cause: error })
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new Error(`${host} is no address of this machine; set GATEWAY_HOST to one`, { cause: error })
    throw error
  }
  app.server.on('error', (error) => log.error({ err: error }, 'the HTTP server failed'))
}

/** Interval of the check for running calls. */
const LOOK_MS = 20

/** The address stays open while calls run, and new callers are told to retry: a refused connection would tell a client less. */
async function lastCalls({ admission }: Gateway, limitMs: number): Promise<void> {
  const limit = AbortSignal.timeout(limitMs)
  while (admission.inFlight > 0 && !limit.aborted) await sleep(LOOK_MS)
}

/** Closes connections as soon as nothing runs on them; calls that still run at the limit are cut off. */
async function drain(app: FastifyInstance, connections: Connections, limitMs: number): Promise<void> {
  const sweep = setInterval(() => connections.closeWaiting(), 50)
  const limit = setTimeout(() => connections.closeAll(), limitMs)
  try {
    await app.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(limit)
  }
}

/** An address that means “all interfaces” is reached over the loopback. */
function urlOf({ address, port, family }: AddressInfo): string {
  if (address === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (address === '::') return `http://[::1]:${port}`
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
