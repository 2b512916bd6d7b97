import type { EventStream } from '../event-stream.ts'
import type { ReplayBuffer } from './replay-buffer.ts'

/** How long a client waits before it comes back to a stream that ended early. */
const RETRY_MS = 1_000

/** One thing said on a stream. */
export interface SaidEvent {
  readonly number: number
  readonly message: string | Buffer
  /** When it was written to a connection. */
  writtenAt: number | undefined
}

/**
 * An event stream of a session. It outlives the connection that carries it:
 *
 * 1. what is said is numbered, written to the connection if there is one, and kept;
 * 2. a client that comes back names the last event it saw, gets the later ones, and the stream goes on there;
 * 3. a stream is over with its last word; the connection ends, and what was kept goes a minute after it was delivered.
 */
export class SessionStream {
  readonly id: string
  /** Oldest first. */
  readonly kept: SaidEvent[] = []
  readonly #buffer: ReplayBuffer
  readonly #now: () => number
  #connection: EventStream | undefined
  #said = 0
  #written = 0
  #over = false

  constructor(id: string, buffer: ReplayBuffer, now: () => number) {
    this.id = id
    this.#buffer = buffer
    this.#now = now
  }

  get isConnected(): boolean {
    return this.#connection !== undefined
  }

  /** The client reads more slowly than it is written to. */
  get full(): boolean {
    return this.#connection?.full ?? false
  }

  /** The number of the last event that was written to a connection. */
  get written(): number {
    return this.#written
  }

  /** Whether an event of this number was said here; 0 is the beginning. */
  hasSaid(number: number): boolean {
    return number >= 0 && number <= this.#said
  }

  /** Whether a client that saw this event has seen all there will ever be. */
  endsWith(number: number): boolean {
    return this.#over && number === this.#said
  }

  /** False when nobody heard it and nobody ever will. */
  say(message: string | Buffer): boolean {
    const event: SaidEvent = { number: ++this.#said, message, writtenAt: undefined }
    const connection = this.#connection
    if (connection !== undefined) this.#write(connection, event)
    return this.#buffer.keep(this, event) || connection !== undefined
  }

  /** Not again what already waits for a client that is away. A connection that does not keep up is ended: its client comes back. */
  sayOnce(message: string): void {
    if (this.full) this.letGo()
    if (this.kept.some((event) => event.number > this.#written && event.message === message)) return
    this.say(message)
  }

  /** Nothing follows. */
  finish(): void {
    this.#over = true
    this.letGo()
  }

  /** Goes on over this connection, in place of the one it had, after the event of this number. */
  connect(connection: EventStream, after: number, primed: boolean): void {
    this.letGo()
    this.#connection = connection
    connection.onClose(() => {
      if (this.#connection === connection) this.#connection = undefined
    })
    if (primed) connection.prime(`${this.id}_${after}`, RETRY_MS)
    for (const event of this.kept) if (event.number > after) this.#write(connection, event)
    if (this.#over) this.letGo()
  }

  /** Ends the connection; the stream goes on. */
  letGo(): void {
    const connection = this.#connection
    this.#connection = undefined
    connection?.end()
  }

  /**
   * Whether a client still needs what was written before this time. While a connection stands it has received that; after
   * one was lost, nobody knows, and it waits for the client.
   */
  isSettled({ writtenAt }: SaidEvent, before: number): boolean {
    return writtenAt !== undefined && writtenAt <= before && (this.isConnected || this.#over)
  }

  /** Over, and all of it delivered or given up. */
  get isSpent(): boolean {
    return this.#over && this.kept.length === 0
  }

  #write(connection: EventStream, event: SaidEvent): void {
    connection.send(event.message, `${this.id}_${event.number}`)
    event.writtenAt = this.#now()
    this.#written = Math.max(this.#written, event.number)
  }
}
