import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Interval of the checks of `/ready`. */
const CHECK_EVERY_MS = 100

export interface ReadinessProxy {
  readonly url: string
  /** Number of requests that were forwarded to each backend. */
  readonly served: readonly number[]
  isReady(backend: number): boolean
  close(): void
}

/** A load balancer as people have them: it checks readiness, sends requests in turn to the backends that are ready, and repeats none. */
export async function readinessProxy(backends: readonly (() => string | undefined)[]): Promise<ReadinessProxy> {
  const ready = backends.map(() => false)
  const served = backends.map(() => 0)
  let turn = 0
  const check = async (n: number): Promise<void> => {
    const url = backends[n]?.()
    const isReady =
      url !== undefined &&
      (await fetch(`${url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      ))
    ready[n] = isReady
  }
  const checks = setInterval(() => backends.forEach((_, n) => void check(n)), CHECK_EVERY_MS)
  await Promise.all(backends.map((_, n) => check(n)))
  const server = createServer((incoming, outgoing) => {
    const from = turn++
    const n = backends.map((_, i) => (from + i) % backends.length).find((i) => ready[i])
    const url = n === undefined ? undefined : backends[n]?.()
    if (n === undefined || url === undefined) return void outgoing.writeHead(502).end('no backend is ready')
    served[n] = (served[n] as number) + 1
    const { method, headers } = incoming
    const forwarded = request(url + (incoming.url ?? ''), { method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    forwarded.on('error', (error) => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end(String(error))))
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served,
    isReady: (n) => ready[n] === true,
    close() {
      clearInterval(checks)
      server.close()
      server.closeAllConnections()
    },
  }
}
