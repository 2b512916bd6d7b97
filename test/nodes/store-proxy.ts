import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface StoreProxy {
  /** Address of the database behind the proxy. */
  readonly url: string
  readonly dropped: number
  /** Switches delays and cuts on. A gateway that starts needs a thousand commands, and would never get them all through. */
  disturbs: boolean
  close(): void
}

/** Shares of the pieces of a conversation that are delayed, and after which the connection is cut. */
const DELAYED = 0.1
const DROPPED = 0.002
const LONGEST_DELAY_MS = 60

/** A proxy between a gateway and its store that delays what it forwards, in order, and cuts connections in the middle of commands. */
export async function storeProxy(target: string, random: () => number): Promise<StoreProxy> {
  const { hostname, port, pathname } = new URL(target)
  const sockets = new Set<Socket>()
  const proxy = { disturbs: false, dropped: 0 }
  const server = createServer((client) => {
    const store = connect(Number(port), hostname)
    const end = (): void => {
      client.destroy()
      store.destroy()
    }
    for (const socket of [client, store]) {
      sockets.add(socket)
      socket.on('error', end).on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    const forward = (from: Socket, to: Socket): void => {
      let before: Promise<unknown> = Promise.resolve()
      from.on('data', (piece) => {
        const waitMs = proxy.disturbs && random() < DELAYED ? random() * LONGEST_DELAY_MS : 0
        const cuts = proxy.disturbs && random() < DROPPED
        before = before.then(async () => {
          if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
          if (!cuts) return void to.write(piece)
          proxy.dropped++
          end()
        })
      })
    }
    forward(client, store)
    forward(store, client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(proxy, {
    // Without the option the driver would ask the server for its address, and go past the proxy.
    url: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}?directConnection=true`,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  })
}
