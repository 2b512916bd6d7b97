import type { Socket } from 'node:net'
import type { Pace } from '@gateway/sdk/bounds'
import type { FastifyReply } from 'fastify'
import { onReplyEnd } from './reply-end.ts'

/** Requests behind another on one connection that are worked on already; their answers wait for that one’s. */
const MAX_BEGUN = 8
/** With more of its answers unsent, a connection’s next request is held. */
const MAX_UNSENT_BYTES = 65_536
/** Requests a connection may have sent ahead; a client that sends more is hung up on. */
const MAX_HELD = 1_000
/** What a request that is held takes of the memory, about. */
const HELD_BYTES = 2_560
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
  /** Of answers that wait to be taken, and of requests that wait to be begun. */
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

  /** Begins a request that came behind others, when there is room for its answer. */
  queue(reply: FastifyReply, begin: () => void): void {
    // What was sent in one piece is still read to its end after that.
    if (this.#socket.destroyed) return
    if (this.#hasRoom) return this.#begin({ reply, begin })
    if (this.#held.length === MAX_HELD) return this.hangUp()
    this.#held.push({ reply, begin })
    this.#waits(HELD_BYTES)
  }

  sending(reply: FastifyReply, bytes: number): void {
    if (bytes < COUNTED_FROM_BYTES) return
    onReplyEnd(reply, () => {
      this.#unsent(-bytes)
      this.#next()
    })
    this.#unsent(bytes)
  }

  hangUp(): void {
    this.#socket.destroy()
    // Now, not when its end is told: until then others would be hung up on for what is gone.
    this.#dropHeld()
  }

  get #hasRoom(): boolean {
    return this.#begun < MAX_BEGUN && this.#unsentBytes <= MAX_UNSENT_BYTES
  }

  #dropHeld(): void {
    const { length } = this.#held.splice(0)
    if (length > 0) this.#waits(-length * HELD_BYTES)
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
    // Those whose answers are short would else follow each other, of one connection after another, with nobody heard in between.
    void this.#pace.begin(this.tenantId ?? '', async () => {
      if (!this.#socket.destroyed) begin()
    })
  }

  #next(): void {
    while (this.#held.length > 0 && this.#hasRoom) {
      const held = this.#held.shift() as Held
      this.#waits(-HELD_BYTES)
      this.#begin(held)
    }
  }
}
