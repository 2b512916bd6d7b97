import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, it } from 'node:test'
import { connectionOf } from '../src/connection.ts'
import { type ConnectionLimits, Connections } from '../src/connections.ts'

const MIB = 2 ** 20
const limits: ConnectionLimits = { connections: 20, stalledAfterMs: 60_000, waitingBytes: 4 * MIB }

class Watched {
  readonly connections: Connections
  readonly accepted: Socket[] = []
  readonly #server: Server
  readonly #clients: Socket[] = []
  pace = <T>(work: () => Promise<T>): Promise<T> => work()

  constructor(isShared: boolean, changed: Partial<ConnectionLimits> = {}) {
    this.connections = new Connections({ isShared }, { ...limits, ...changed }, { begin: (_tenant, work) => this.pace(work) })
    this.#server = createServer((_request, response) => void response.end('x'.repeat(16 * MIB)))
    this.connections.watch(this.#server)
    this.#server.on('connection', (socket: Socket) => this.accepted.push(socket))
    this.#server.listen(0, '127.0.0.1')
  }

  /** The client's and the server's end. */
  async open(): Promise<readonly [Socket, Socket]> {
    if (!this.#server.listening) await once(this.#server, 'listening')
    const accepted = once(this.#server, 'connection')
    const client = connect((this.#server.address() as AddressInfo).port, '127.0.0.1')
    client.on('error', () => {})
    this.#clients.push(client)
    const [socket] = (await accepted) as [Socket]
    return [client, socket]
  }

  stop(): void {
    for (const client of this.#clients) client.destroy()
    this.connections.closeAll()
    this.#server.close()
  }
}

describe('the connections of a server', () => {
  let watched: Watched
  afterEach(() => watched.stop())

  it('that have said nothing give way to new ones when places run short; those that are known stay', async () => {
    watched = new Watched(false)
    const [, known] = await watched.open()
    assert.equal(watched.connections.assignTenant(known, 'a'), undefined)
    const sockets: Socket[] = []
    for (let n = 0; n < 40; n++) sockets.push((await watched.open())[1])
    assert.equal(known.destroyed, false)
    const left = sockets.map((socket, at) => (socket.destroyed ? -1 : at)).filter((at) => at >= 0)
    assert.deepEqual(
      left,
      Array.from({ length: 17 }, (_, n) => 23 + n),
    )
  })

  it('are shared: beside others a tenant has a quarter of the places, and gets one back with each that closes', async () => {
    watched = new Watched(true)
    const sockets: Socket[] = []
    for (let n = 0; n < 7; n++) sockets.push((await watched.open())[1])
    const [first, , , , , sixth, seventh] = sockets as [Socket, Socket, Socket, Socket, Socket, Socket, Socket]
    for (const socket of sockets.slice(0, 5)) assert.equal(watched.connections.assignTenant(socket, 'greedy'), undefined)
    const refused = watched.connections.assignTenant(sixth, 'greedy')
    assert.match(String(refused?.message), /already has 5 connections, its share of all/)
    assert.equal(watched.connections.assignTenant(seventh, 'other'), undefined)
    const closed = once(first, 'close')
    first.destroy()
    await closed
    assert.equal(watched.connections.assignTenant(sixth, 'greedy'), undefined)
  })

  it('of the tenant for whom most waits unread are hung up on when too much does, the largest first', async () => {
    watched = new Watched(true)
    const sockets: Socket[] = []
    for (let n = 0; n < 3; n++) sockets.push((await watched.open())[1])
    const [modest, small, large] = sockets as [Socket, Socket, Socket]
    watched.connections.assignTenant(modest, 'modest')
    watched.connections.assignTenant(small, 'greedy')
    watched.connections.assignTenant(large, 'greedy')
    const waits = (socket: Socket, bytes: number): void => {
      const never = { raw: { once: () => undefined, on: () => undefined }, request: { raw: { socket } } }
      connectionOf(socket)?.sending(never as never, bytes)
    }
    waits(modest, 1.5 * MIB)
    waits(small, MIB)
    waits(large, 1.4 * MIB)
    assert.equal(large.destroyed, false)
    waits(modest, 0.2 * MIB)
    assert.deepEqual([modest.destroyed, small.destroyed, large.destroyed], [false, false, true])
  })

  it('of the tenant for whom most was sent ahead are hung up on when too much was, and what was held for them is let go', async () => {
    watched = new Watched(true, { waitingBytes: MIB })
    const [[, modest], [, greedy]] = [await watched.open(), await watched.open()] as const
    watched.connections.assignTenant(modest, 'modest')
    watched.connections.assignTenant(greedy, 'greedy')
    let begun = 0
    const ahead = (socket: Socket, requests: number): void => {
      const waits = { raw: { once: () => undefined, on: () => undefined }, request: { raw: { socket } } }
      for (let n = 0; n < requests; n++) connectionOf(socket)?.queue(waits as never, () => begun++)
    }
    ahead(modest, 108)
    ahead(greedy, 310)
    assert.deepEqual([modest.destroyed, greedy.destroyed, begun], [false, false, 16])
    ahead(greedy, 10)
    assert.deepEqual([modest.destroyed, greedy.destroyed], [false, true])
    const held = watched.connections.waitingBytes
    ahead(greedy, 1)
    assert.equal(watched.connections.waitingBytes, held)
    assert.ok(held < MIB / 2, `${held} bytes`)
  })

  it('begin what was sent ahead when it is its time, and nothing of a connection that is gone by then', async () => {
    watched = new Watched(true)
    const [[, socket], [, gone]] = [await watched.open(), await watched.open()] as const
    const works: (() => Promise<unknown>)[] = []
    watched.pace = (work) => {
      works.push(work)
      return new Promise(() => undefined)
    }
    const begun: Socket[] = []
    const ahead = (of: Socket): void => {
      const waits = { raw: { once: () => undefined, on: () => undefined }, request: { raw: { socket: of } } }
      connectionOf(of)?.queue(waits as never, () => begun.push(of))
    }
    ahead(socket)
    ahead(gone)
    assert.deepEqual([works.length, begun.length], [2, 0])
    gone.destroy()
    for (const work of works) await work()
    assert.deepEqual(begun, [socket])
  })

  it('whose client takes no byte for the time it has are ended; those that wait for a request are not', async () => {
    watched = new Watched(false, { stalledAfterMs: 200 })
    const [, idle] = await watched.open()
    const [client, stalled] = await watched.open()
    client.pause()
    const closed = once(stalled, 'close')
    client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await closed
    assert.equal(idle.destroyed, false)
  })
})
