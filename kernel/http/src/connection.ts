import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import { onReplyEnd } from './reply-end.ts'

/** Requests behind another on one connection that are worked on already; their answers wait for that one’s. */
const MAX_BEGUN = 8
/** With more of its answers unsent, a connection’s next request is held. */
const MAX_UNSENT_BYTES = 65_536
/** Requests a connection may have sent ahead; a client that sends more is hung up on. */
const MAX_HELD = 1_000
/** Smaller answers are not counted: they cost less than counting them. */
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
 * One connection, whose client may send requests before it has read the answers to earlier ones. A segment of the network holds
 * hundreds of small ones: all at once, unread answers would fill the memory.
 */
export class Connection {
  /** From its first request on. */
  tenantId: string | undefined
  unsentBytes = 0
  readonly #socket: Socket
  readonly #changed: (by: number) => void
  readonly #held: Held[] = []
  #begun = 0

  constructor(socket: Socket, changed: (by: number) => void) {
    this.#socket = socket
    this.#changed = changed
    ;(socket as Owned)[CONNECTION] = this
    socket.once('close', () => this.#held.splice(0))
  }

  /** Begins a request that came behind others, when there is room for its answer. */
  queue(reply: FastifyReply, begin: () => void): void {
    if (this.#hasRoom) this.#begin({ reply, begin })
    else if (this.#held.length < MAX_HELD) this.#held.push({ reply, begin })
    else this.hangUp()
  }

  sending(reply: FastifyReply, bytes: number): void {
    if (bytes < COUNTED_FROM_BYTES) return
    onReplyEnd(reply, () => {
      this.#add(-bytes)
      this.#next()
    })
    this.#add(bytes)
  }

  hangUp(): void {
    this.#socket.destroy()
  }

  get #hasRoom(): boolean {
    return this.#begun < MAX_BEGUN && this.unsentBytes <= MAX_UNSENT_BYTES
  }

  #add(bytes: number): void {
    this.unsentBytes += bytes
    this.#changed(bytes)
  }

  #begin({ reply, begin }: Held): void {
    this.#begun++
    onReplyEnd(reply, () => {
      this.#begun--
      this.#next()
    })
    begin()
  }

  #next(): void {
    while (this.#held.length > 0 && this.#hasRoom) this.#begin(this.#held.shift() as Held)
  }
}
