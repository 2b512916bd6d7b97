import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Admission, Overloaded, shareOf } from '@gateway/kernel'
import type { ToolError } from '@gateway/sdk'
import { Pace } from '@gateway/sdk/bounds'
import type { FastifyReply } from 'fastify'
import { Connection, connectionOf } from './connection.ts'

export interface ConnectionLimits {
  readonly connections: number
  /** Milliseconds without a byte read after which a client is disconnected. */
  readonly stalledAfterMs: number
  /**
   * Limit of unsent answers and held requests over all connections; above it the connection with the largest backlog is closed.
   */
  readonly waitingBytes: number
}
const LIMITS: ConnectionLimits = { connections: 10_000, stalledAfterMs: 30_000, waitingBytes: 128 * 2 ** 20 }
/**
 * Above this share of the connection limit, connections that have not sent a whole request yet are closed for new ones, oldest
 * first.
 */
const CROWDED = 0.9

/**
 * Returns the response that a connection is waiting for, from the last header of its request on. Node keeps it without a public
 * name.
 */
export function pendingResponse(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage
}

/**
 * The connections of a server, with limits that keep one connection, or one tenant, from using up what all share:
 *
 * 1. A new connection is unknown until it has sent a whole request; unknown ones are closed first when places run short.
 * 2. With its first request it counts for a tenant, which has a share of all places.
 * 3. Unread answers first hold back its requests, then close it; so do too many requests sent ahead.
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
    // Node's timer also ends connections that were silent for the keep-alive time; with a listener Node leaves that to this code.
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

  /** Assigns a connection to its tenant at its first request; UNAVAILABLE if the tenant has used its share. */
  assignTenant(socket: Socket, tenantId: string): ToolError | undefined {
    const connection = connectionOf(socket)
    if (connection === undefined || connection.tenantId !== undefined) return undefined
    const ofTenant = this.#tenants.get(tenantId) ?? 0
    const share = shareOf(this.#limits.connections)
    if (ofTenant >= share && this.#admission.isShared) {
      return Overloaded({ message: `This tenant already has ${share} connections, its share of all.`, retryAfterSeconds: 1 })
    }
    connection.tenantId = tenantId
    this.#unknown.delete(socket)
    this.#tenants.set(tenantId, ofTenant + 1)
    return undefined
  }

  /**
   * Also closes connections that never sent anything, or half a request; `closeIdleConnections` leaves these until they time out.
   */
  closeWaiting(): void {
    for (const socket of this.#open) if (!pendingResponse(socket)) socket.destroy()
  }

  /** Makes the answers that are under way the last of their connections. */
  closeAfterAnswers(): void {
    for (const socket of this.#open) {
      const response = pendingResponse(socket)
      if (response) response.shouldKeepAlive = false
    }
  }

  closeAll(): void {
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
    if (by > 0 && this.#waitingBytes > this.#limits.waitingBytes) this.#largestBacklog()?.disconnect()
  }

  /** Returns the connection with the largest backlog, of the tenant with the largest backlog. */
  #largestBacklog(): Connection | undefined {
    const byTenant = new Map<string | undefined, number>()
    for (const { tenantId, waitingBytes } of this.#waiting) byTenant.set(tenantId, (byTenant.get(tenantId) ?? 0) + waitingBytes)
    const [tenant] = [...byTenant].sort(([, a], [, b]) => b - a)
    return [...this.#waiting].filter(({ tenantId }) => tenantId === tenant?.[0]).sort((a, b) => b.waitingBytes - a.waitingBytes)[0]
  }
}

/** Counts an answer for its connection until it is sent. */
export function sending(reply: FastifyReply, bytes: number): void {
  connectionOf(reply.request.raw.socket)?.sending(reply, bytes)
}
