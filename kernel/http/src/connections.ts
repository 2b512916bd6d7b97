import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Admission, Overloaded, shareOf } from '@gateway/kernel'
import type { ToolError } from '@gateway/sdk'
import { Pace } from '@gateway/sdk/bounds'
import type { FastifyReply } from 'fastify'
import { Connection, connectionOf } from './connection.ts'

/** What a server’s connections may take. */
export interface ConnectionLimits {
  readonly connections: number
  /** A client that takes no byte for so long is hung up on. */
  readonly stalledAfterMs: number
  /** What may wait, of unread answers and of requests sent ahead, all together; beyond, whoever makes most of it wait is hung up on. */
  readonly waitingBytes: number
}
const LIMITS: ConnectionLimits = { connections: 10_000, stalledAfterMs: 30_000, waitingBytes: 128 * 2 ** 20 }
/** With more of the places taken, those that have not yet said a whole request give way to new ones, the oldest first. */
const CROWDED = 0.9

/** The response a connection is waiting for, from the last header of its request on. Node keeps it here, without a public name. */
export function pendingResponse(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage
}

/**
 * The connections of a server, and what keeps any of them, or one tenant’s, from taking what is all’s:
 *
 * 1. a new one is unknown until it has said a whole request; unknown ones give way when places run short;
 * 2. with its first request it counts for a tenant, who has a share of all places;
 * 3. what it does not read holds it, then costs it its connection, as does too much that it sends ahead.
 */
export class Connections {
  readonly #admission: Pick<Admission, 'isShared'>
  readonly #open = new Set<Socket>()
  readonly #unknown = new Set<Socket>()
  readonly #tenants = new Map<string, number>()
  readonly #waiting = new Set<Connection>()
  #waitingBytes = 0

  readonly #limits: ConnectionLimits
  readonly #pace: Pick<Pace, 'begin'>

  constructor(admission: Pick<Admission, 'isShared'>, limits = LIMITS, pace: Pick<Pace, 'begin'> = new Pace()) {
    this.#admission = admission
    this.#limits = limits
    this.#pace = pace
  }

  watch(server: Server): void {
    const { connections, stalledAfterMs } = this.#limits
    server.maxConnections = connections
    server.timeout = stalledAfterMs
    server.on('connection', (socket: Socket) => this.#opened(socket))
    // Node’s timer also ends connections on which nothing has come for the time of its keep-alive; with a listener it leaves that to us.
    server.on('timeout', (socket: Socket) => {
      if (socket.writableLength > 0 || socket.timeout !== stalledAfterMs) socket.destroy()
    })
  }

  get size(): number {
    return this.#open.size
  }

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** Whose connection it is, from its first request on; UNAVAILABLE where the tenant has its share. */
  meet(socket: Socket, tenantId: string): ToolError | undefined {
    const connection = connectionOf(socket)
    if (connection === undefined || connection.tenantId !== undefined) return undefined
    const theirs = this.#tenants.get(tenantId) ?? 0
    const share = shareOf(this.#limits.connections)
    if (theirs >= share && this.#admission.isShared) {
      return Overloaded({ message: `This tenant already has ${share} connections, its share of all.`, retryAfterSeconds: 1 })
    }
    connection.tenantId = tenantId
    this.#unknown.delete(socket)
    this.#tenants.set(tenantId, theirs + 1)
    return undefined
  }

  /** Also those that never said anything, or half a request: `closeIdleConnections` leaves these until they time out. */
  hangUpWaiting(): void {
    for (const socket of this.#open) if (!pendingResponse(socket)) socket.destroy()
  }

  hangUpAll(): void {
    for (const socket of this.#open) socket.destroy()
  }

  #opened(socket: Socket): void {
    const connection = new Connection(socket, (by) => this.#waits(connection, by), this.#pace)
    this.#open.add(socket)
    this.#unknown.add(socket)
    socket.once('close', () => this.#closed(socket, connection))
    if (this.#open.size <= this.#limits.connections * CROWDED) return
    const [oldest] = this.#unknown
    if (oldest !== socket) oldest?.destroy()
  }

  #closed(socket: Socket, { tenantId }: Connection): void {
    this.#open.delete(socket)
    this.#unknown.delete(socket)
    if (tenantId === undefined) return
    const left = (this.#tenants.get(tenantId) as number) - 1
    if (left === 0) this.#tenants.delete(tenantId)
    else this.#tenants.set(tenantId, left)
  }

  #waits(connection: Connection, by: number): void {
    this.#waitingBytes += by
    if (connection.waitingBytes > 0) this.#waiting.add(connection)
    else this.#waiting.delete(connection)
    if (by > 0 && this.#waitingBytes > this.#limits.waitingBytes) this.#greediest()?.hangUp()
  }

  /** Of the tenant for whom most waits, the connection for which most waits. */
  #greediest(): Connection | undefined {
    const byTenant = new Map<string | undefined, number>()
    for (const { tenantId, waitingBytes } of this.#waiting) byTenant.set(tenantId, (byTenant.get(tenantId) ?? 0) + waitingBytes)
    const [tenant] = [...byTenant].sort(([, a], [, b]) => b - a)
    return [...this.#waiting].filter(({ tenantId }) => tenantId === tenant?.[0]).sort((a, b) => b.waitingBytes - a.waitingBytes)[0]
  }
}

/** An answer is on its way: until it is out it counts for its connection. */
export function sending(reply: FastifyReply, bytes: number): void {
  connectionOf(reply.request.raw.socket)?.sending(reply, bytes)
}
