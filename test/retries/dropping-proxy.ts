import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface DroppingProxy {
  readonly url: string
  readonly dropped: number
  /** Sends what follows to this service. */
  sendTo(url: string): void
  close(): void
}

/** A proxy that loses a share of the answers after the service has given them. */
export async function droppingProxy(share: number): Promise<DroppingProxy> {
  let target = ''
  let dropped = 0
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming
    const forwarded = request(`${target}${url}`, { method, headers }, (answer) => {
      if (Math.random() < share) {
        dropped++
        answer.resume().on('error', () => {})
        answer.on('close', () => outgoing.destroy())
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get dropped() {
      return dropped
    },
    sendTo: (url) => (target = url),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
