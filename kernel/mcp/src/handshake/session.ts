import { randomUUID } from 'node:crypto'
import type { Clock } from '@gateway/kernel'
import type { ClientAbility, LogLevel, Principal } from '@gateway/sdk'
import type { EventStream } from '../event-stream.ts'
import type { Id } from '../jsonrpc.ts'
import type { LazyAbort } from '../lazy-abort.ts'
import { Questions } from './questions.ts'
import { type ReplayBudget, ReplayBuffer } from './replay-buffer.ts'
import { SessionStream } from './session-stream.ts'
import { comesBack } from './versions.ts'

/** How long what was delivered is kept for a client that lost it on the way. */
const GRACE_MS = 60_000
const STANDALONE = '0'

/** What `initialize` agreed on. */
export interface Agreed {
  readonly version: string
  readonly abilities: readonly ClientAbility[]
}

export interface RunningCall {
  readonly abort: LazyAbort
  /** Whether its caller is there, waiting. */
  readonly isConnected: boolean
}

/** What another process left of a session. */
export interface TakenUp {
  readonly id: string
  /** Keeps apart what this process says in the session and what others said in it. */
  readonly turn: string
}

/** A place in a stream: after the event of this number. */
export interface Place {
  readonly stream: SessionStream
  readonly after: number
}

/** One client, from `initialize` on: what was agreed, what it runs, what it was asked, and the streams it listens to. */
export class Session {
  readonly id: string
  readonly agreed: Agreed
  /** The caller that opened it; for another one the session does not exist. */
  readonly owner: Pick<Principal, 'tenantId' | 'id'>
  /** The calls a cancellation may reach. */
  readonly running = new Map<Id, RunningCall>()
  readonly questions: Questions
  /** The least level of log messages the client wants; it gets none before it says so. */
  logLevel: LogLevel | undefined
  lastUsed: number
  readonly #openedAt: number
  /** Whether the store has it. */
  isStored = false
  /** When the store was last told that it is in use. */
  writtenAt: number
  readonly #prefix: string
  readonly #clock: Clock
  readonly #buffer: ReplayBuffer
  /** What belongs to no call goes here. */
  readonly #standalone: SessionStream
  readonly #streams = new Map<string, SessionStream>()
  #opened = 0

  constructor({ tenantId, id }: Principal, agreed: Agreed, clock: Clock, budget: ReplayBudget, takenUp?: TakenUp) {
    this.id = takenUp?.id ?? randomUUID()
    this.#prefix = takenUp ? `${takenUp.turn}-` : ''
    this.owner = { tenantId, id }
    this.agreed = agreed
    this.lastUsed = this.writtenAt = this.#openedAt = clock.now()
    this.#clock = clock
    this.#buffer = new ReplayBuffer(budget)
    this.questions = new Questions(agreed.version, clock.now, `q${this.#prefix}`)
    this.#standalone = this.#add(STANDALONE)
  }

  /** Whether its client is there now, waiting for an answer or listening. */
  get isConnected(): boolean {
    for (const stream of this.#streams.values()) if (stream.isConnected) return true
    for (const call of this.running.values()) if (call.isConnected) return true
    return false
  }

  /** From when this process had it until it was used last. */
  get usedMs(): number {
    return Math.max(0, this.lastUsed - this.#openedAt)
  }

  /** A stream for a call. */
  openStream(): SessionStream {
    return this.#add((++this.#opened).toString(36))
  }

  /** Carries the stream on over this connection. */
  connect({ stream, after }: Place, connection: EventStream): void {
    stream.connect(connection, after, comesBack(this.agreed.version))
  }

  /** Where a client without a `Last-Event-ID` comes in: it gets what nobody got yet. */
  get standalone(): Place {
    return { stream: this.#standalone, after: this.#standalone.written }
  }

  /**
   * Undefined for an event that this session never had, or has forgotten. Who listened to another process for what belongs to
   * no call goes on listening here.
   */
  placeOf(lastEventId: string): Place | undefined {
    const [, prefix = '', id = '', number = ''] = /^([0-9a-z]+-)?([0-9a-z]+)_([0-9]{1,15})$/.exec(lastEventId) ?? []
    if (prefix !== this.#prefix) return id === STANDALONE ? this.standalone : undefined
    const stream = this.#streams.get(prefix + id)
    const after = Number(number)
    return stream?.hasSaid(after) ? { stream, after } : undefined
  }

  /** Tells the client something that belongs to none of its calls. */
  notify(message: string): void {
    this.#standalone.sayOnce(message)
  }

  /** A stream that will not be asked for again. */
  forget(stream: SessionStream): void {
    stream.finish()
    this.#buffer.drop(stream)
    this.#streams.delete(stream.id)
  }

  /** Lets go of what is out of time. */
  tick(): void {
    this.questions.failOverdue()
    this.#buffer.dropSettled(this.#clock.now() - GRACE_MS)
    for (const stream of this.#streams.values()) if (stream.isSpent) this.#streams.delete(stream.id)
  }

  endQuestions(): void {
    this.questions.failAll('The gateway is stopping.')
  }

  /** The gateway stops: nobody is kept waiting for the client, and the client not for us. Calls may end. */
  close(): void {
    this.endQuestions()
    this.#standalone.letGo()
  }

  /** Stops what it runs and frees what it holds. */
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
