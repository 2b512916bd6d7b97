import type { EventStream } from '../event-stream.ts'
import type { ReplayBuffer, SentEvent } from './replay-buffer.ts'

/** Time that a client waits before it resumes a stream that ended early. */
const RETRY_MS = 1_000

/**
 * An event stream of a session. It outlives the connection that carries it:
 *
 * 1. Each message is numbered, written to the connection if there is one, and kept.
 * 2. A client that resumes names the last event it received, gets the later ones, and the stream continues.
 * 3. A stream is over with its last message; the connection ends, and kept messages are dropped a minute after delivery.
 */
export class SessionStream {
  readonly id: string
  /** Oldest first. */
  readonly kept: SentEvent[] = []
  readonly #buffer: ReplayBuffer
  readonly #now: () => number
  #connection: EventStream | undefined
  #sent = 0
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

  /** True if the client reads more slowly than the gateway writes. */
  get full(): boolean {
    return this.#connection?.full ?? false
  }

  /** Number of the last event written to a connection. */
  get written(): number {
    return this.#written
  }

  /** True if an event of this number was sent here; 0 is the beginning. */
  hasSent(number: number): boolean {
    return number >= 0 && number <= this.#sent
  }

  /** True if a client with this event has received everything there will ever be. */
  endsWith(number: number): boolean {
    return this.#over && number === this.#sent
  }

  /** False if no client received it and none will. */
  send(message: string | Buffer): boolean {
    const event: SentEvent = { number: ++this.#sent, message, writtenAt: undefined }
    const connection = this.#connection
    if (connection !== undefined) this.#write(connection, event)
    return this.#buffer.keep(this, event) || connection !== undefined
  }

  /** Skips a message that already waits for an absent client. A connection that is too slow is closed: its client resumes. */
  sendOnce(message: string): void {
    if (this.full) this.closeConnection()
    if (this.kept.some((event) => event.number > this.#written && event.message === message)) return
    this.send(message)
  }

  finish(): void {
    this.#over = true
    this.closeConnection()
  }

  /** Continues over this connection, in place of the previous one, after the event of this number. */
  connect(connection: EventStream, after: number, primed: boolean): void {
    this.closeConnection()
    this.#connection = connection
    connection.onClose(() => {
      if (this.#connection === connection) this.#connection = undefined
    })
    if (primed) connection.prime(`${this.id}_${after}`, RETRY_MS)
    for (const event of this.kept) if (event.number > after) this.#write(connection, event)
    if (this.#over) this.closeConnection()
  }

  /** Closes the connection; the stream continues. */
  closeConnection(): void {
    const connection = this.#connection
    this.#connection = undefined
    connection?.end()
  }

  /**
   * True if a client may still need messages written before this time. An open connection has received them; after a lost one
   * nobody knows, and they wait for the client.
   */
  isSettled({ writtenAt }: SentEvent, before: number): boolean {
    return writtenAt !== undefined && writtenAt <= before && (this.isConnected || this.#over)
  }

  /** True if the stream is over and everything was delivered or given up. */
  get isSpent(): boolean {
    return this.#over && this.kept.length === 0
  }

  #write(connection: EventStream, event: SentEvent): void {
    connection.send(event.message, `${this.id}_${event.number}`)
    event.writtenAt = this.#now()
    this.#written = Math.max(this.#written, event.number)
  }
}
