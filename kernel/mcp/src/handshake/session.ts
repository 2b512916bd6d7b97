import { randomUUID } from 'node:crypto'
import type { Clock } from '@gateway/kernel'
import type { ClientAbility, LogLevel, Principal } from '@gateway/sdk'
import type { EventStream } from '../event-stream.ts'
import type { Id } from '../jsonrpc.ts'
import type { RunningCall } from '../running-call.ts'
import { Questions } from './questions.ts'
import { type ReplayBudget, ReplayBuffer } from './replay-buffer.ts'
import { SessionStream } from './session-stream.ts'
import { resumesStreams } from './versions.ts'

/** Time that delivered messages are kept for a client that lost them on the way. */
const GRACE_MS = 60_000
const STANDALONE = '0'

/** Result of `initialize`. */
export interface Agreed {
  readonly version: string
  readonly abilities: readonly ClientAbility[]
  /** Name that the client reports. */
  readonly clientName?: string | undefined
}

/** State of a session left by another process. */
export interface ResumedSession {
  readonly id: string
  /** Separates what this process sent in the session from what others sent. */
  readonly turn: string
}

/** A position in a stream: after the event of this number. */
export interface Place {
  readonly stream: SessionStream
  readonly after: number
}

/** A client, from `initialize` on: the agreement, its running calls, its open questions, and its streams. */
export class Session {
  readonly id: string
  readonly agreed: Agreed
  /** The caller that opened it; for anyone else the session does not exist. */
  readonly owner: Pick<Principal, 'tenantId' | 'id'>
  /** Calls that a cancellation may reach. */
  readonly running = new Map<Id, RunningCall>()
  readonly questions: Questions
  /** Lowest level of log messages that the client wants; it gets none before it sets one. */
  logLevel: LogLevel | undefined
  lastUsed: number
  readonly #openedAt: number
  isStored = false
  /** Time when its use was last recorded. */
  writtenAt: number
  readonly #prefix: string
  readonly #clock: Clock
  readonly #buffer: ReplayBuffer
  /** Stream for messages that belong to no call. */
  readonly #standalone: SessionStream
  readonly #streams = new Map<string, SessionStream>()
  #opened = 0

  constructor({ tenantId, id }: Principal, agreed: Agreed, clock: Clock, budget: ReplayBudget, resumed?: ResumedSession) {
    this.id = resumed?.id ?? randomUUID()
    this.#prefix = resumed ? `${resumed.turn}-` : ''
    this.owner = { tenantId, id }
    this.agreed = agreed
    this.lastUsed = this.writtenAt = this.#openedAt = clock.now()
    this.#clock = clock
    this.#buffer = new ReplayBuffer(budget)
    this.questions = new Questions(agreed.version, clock.now, `q${this.#prefix}`)
    this.#standalone = this.#add(STANDALONE)
  }

  /** True if its client is connected, waiting for an answer or listening. */
  get isConnected(): boolean {
    for (const stream of this.#streams.values()) if (stream.isConnected) return true
    for (const call of this.running.values()) if (call.isConnected) return true
    return false
  }

  /** Time from its load in this process to its last use. */
  get usedMs(): number {
    return Math.max(0, this.lastUsed - this.#openedAt)
  }

  openStream(): SessionStream {
    return this.#add((++this.#opened).toString(36))
  }

  connect({ stream, after }: Place, connection: EventStream): void {
    stream.connect(connection, after, resumesStreams(this.agreed.version))
  }

  /** Position of a client without a `Last-Event-ID`: it gets undelivered messages. */
  get standalone(): Place {
    return { stream: this.#standalone, after: this.#standalone.written }
  }

  /**
   * Undefined for an event that this session never had or has dropped. A client that listened to another process for messages
   * that belong to no call continues listening here.
   */
  placeOf(lastEventId: string): Place | undefined {
    const [, prefix = '', id = '', number = ''] = /^([0-9a-z]+-)?([0-9a-z]+)_([0-9]{1,15})$/.exec(lastEventId) ?? []
    if (prefix !== this.#prefix) return id === STANDALONE ? this.standalone : undefined
    const stream = this.#streams.get(prefix + id)
    const after = Number(number)
    return stream?.hasSent(after) ? { stream, after } : undefined
  }

  /** Sends the client a message that belongs to none of its calls. */
  notify(message: string): void {
    this.#standalone.sendOnce(message)
  }

  /** Drops a stream that will not be resumed. */
  forget(stream: SessionStream): void {
    stream.finish()
    this.#buffer.drop(stream)
    this.#streams.delete(stream.id)
  }

  /** Drops expired messages. */
  tick(): void {
    this.questions.failOverdue()
    this.#buffer.dropSettled(this.#clock.now() - GRACE_MS)
    for (const stream of this.#streams.values()) if (stream.isSpent) this.#streams.delete(stream.id)
  }

  endQuestions(): void {
    this.questions.failAll('The gateway is stopping.')
  }

  /** Called when the gateway stops: nobody is kept waiting for the client, or the client for the gateway. Calls may end. */
  close(): void {
    this.endQuestions()
    this.#standalone.closeConnection()
  }

  /** Stops its calls and frees its memory. */
  end(why: Error): void {
    this.#buffer.close()
    for (const { abort } of this.running.values()) abort.abort(why)
    for (const stream of this.#streams.values()) stream.finish()
    this.#streams.clear()
    this.running.clear()
  }

  #add(name: string): SessionStream {
    const id = this.#prefix + name
    const stream = new SessionStream(id, this.#buffer, this.#clock.now)
    this.#streams.set(id, stream)
    return stream
  }
}
