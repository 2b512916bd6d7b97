import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The response a connection is waiting for, from the last header of its request on. Node keeps it here, without a public name. */
export function pendingResponse(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage
}

/** The connections of a server, so that a stop can hang up those that wait for nothing. */
export class Sockets {
  readonly #open = new Set<Socket>()

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
    })
  }

  /** Also those that never said anything, or half a request: `closeIdleConnections` leaves these until they time out. */
  hangUpWaiting(): void {
    for (const socket of this.#open) if (!pendingResponse(socket)) socket.destroy()
  }

  hangUpAll(): void {
    for (const socket of this.#open) socket.destroy()
  }
}
