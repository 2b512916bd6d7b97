import type { Socket } from 'node:net'
import type { Pace } from '@gateway/sdk/bounds'
import type { FastifyReply } from 'fastify'
import { onReplyEnd } from './reply-end.ts'

/** Number of pipelined requests on one connection that are processed at once; their answers wait for the first. */
const MAX_BEGUN = 8
/** With more unsent bytes of answers, a connection's next request is held back. */
const MAX_UNSENT_BYTES = 65_536
/** Number of requests that a connection may send ahead; beyond it the connection is closed. */
const MAX_HELD = 1_000
const APPROXIMATE_HELD_REQUEST_BYTES = 2_560
/** Smaller answers are not counted, because counting costs more than they do. */
const COUNTED_FROM_BYTES = 16_384

const CONNECTION = Symbol('connection')
type Owned = Socket & { [CONNECTION]?: Connection }

/** Undefined for a request that came over no connection. */
export const connectionOf = (socket: Socket): Connection | undefined => (socket as Owned)[CONNECTION]

interface Held {
  readonly reply: FastifyReply
  readonly begin: () => void
}

/**
 * A connection, whose client may send requests before it has read earlier answers. One network segment holds hundreds of small
 * requests; processed all at once, their unread answers would fill the memory.
 */
export class Connection {
  /** Set by its first request. */
  tenantId: string | undefined
  /** Bytes of unsent answers and of requests that are held back. */
  waitingBytes = 0
  #unsentBytes = 0
  readonly #socket: Socket
  readonly #changed: (by: number) => void
  readonly #pace: Pick<Pace, 'begin'>
  readonly #held: Held[] = []
  #begun = 0

  constructor(socket: Socket, changed: (by: number) => void, pace: Pick<Pace, 'begin'>) {
    this.#socket = socket
    this.#changed = changed
    this.#pace = pace
    ;(socket as Owned)[CONNECTION] = this
    socket.once('close', () => this.#dropHeld())
  }

  /** Begins a pipelined request once there is room for its answer. */
  queue(reply: FastifyReply, begin: () => void): void {
    // Data that was sent in one piece is still parsed after the socket is destroyed.
    if (this.#socket.destroyed) return
    if (this.#hasRoom) return this.#begin({ reply, begin })
    if (this.#held.length === MAX_HELD) return this.disconnect()
    this.#held.push({ reply, begin })
    this.#waits(APPROXIMATE_HELD_REQUEST_BYTES)
  }

  sending(reply: FastifyReply, bytes: number): void {
    if (bytes < COUNTED_FROM_BYTES) return
    onReplyEnd(reply, () => {
      this.#unsent(-bytes)
      this.#next()
    })
    this.#unsent(bytes)
  }

  disconnect(): void {
    this.#socket.destroy()
    // Dropped now rather than at the `close` event: until then other connections would be closed for memory that is free.
    this.#dropHeld()
  }

  get #hasRoom(): boolean {
    return this.#begun < MAX_BEGUN && this.#unsentBytes <= MAX_UNSENT_BYTES
  }

  #dropHeld(): void {
    const { length } = this.#held.splice(0)
    if (length > 0) this.#waits(-length * APPROXIMATE_HELD_REQUEST_BYTES)
  }

  #unsent(bytes: number): void {
    this.#unsentBytes += bytes
    this.#waits(bytes)
  }

  #waits(bytes: number): void {
    this.waitingBytes += bytes
    this.#changed(bytes)
  }

  #begin({ reply, begin }: Held): void {
    this.#begun++
    onReplyEnd(reply, () => {
      this.#begun--
      this.#next()
    })
    // Spread over turns: otherwise requests with short answers would run back to back, one connection after another, without a
    // pause.
    void this.#pace.begin(this.tenantId ?? '', async () => {
      if (!this.#socket.destroyed) begin()
    })
  }

  #next(): void {
    while (this.#held.length > 0 && this.#hasRoom) {
      const held = this.#held.shift() as Held
      this.#waits(-APPROXIMATE_HELD_REQUEST_BYTES)
      this.#begin(held)
    }
  }
}
