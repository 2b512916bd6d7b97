import { once } from 'node:events'
import { createServer, type IncomingMessage, request as requestPlain, type ServerResponse } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

export interface Forwarder {
  readonly url: string
  close(): Promise<void>
}

const MAX_CONNECTIONS = 500

/**
 * Opens an address on this machine that passes requests on to the gateway, marked as forwarded: the gateway trusts no such request
 * for coming from its own machine, so an agent reaches it with its key and not as the local operator.
 */
export async function openForwarder(target: string): Promise<Forwarder> {
  const { protocol, hostname, port, host, pathname } = new URL(target)
  const send = protocol === 'https:' ? requestSecure : requestPlain
  const base = pathname.replace(/\/$/, '')
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { method, url = '', socket } = request
    // A whole URL would name another host.
    if (!url.startsWith('/')) return void response.writeHead(400).end()
    const headers = { ...request.headers, host, 'x-forwarded-for': socket.remoteAddress ?? 'unknown' }
    const passed = send({ hostname: hostname.replace(/^\[|\]$/g, ''), port, path: base + url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      pipeline(answer, response, () => undefined)
    })
    response.on('close', () => passed.destroy())
    passed.on('error', () => {
      if (response.headersSent) response.destroy()
      else
        response.writeHead(502, { 'content-type': 'application/json' }).end('{"error":"The gateway does not answer.","code":"UNAVAILABLE"}')
    })
    pipeline(request, passed, () => undefined)
  })
  server.maxConnections = MAX_CONNECTIONS
  server.requestTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
