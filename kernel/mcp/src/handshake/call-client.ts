import { type Answers, type Client, type ClientAbility, type InputRequests, InputUnavailable, type LogLevel, logLevels } from '@gateway/sdk'
import type { EventStream, OpenStream } from '../event-stream.ts'
import { errorMessage, type Id, type Params, RpcError, SERVER_ERROR } from '../jsonrpc.ts'
import type { LazyAbort } from '../lazy-abort.ts'
import { type Notification, notificationMessage } from '../notification.ts'
import { progressReporter, progressToken, type ReportProgress } from '../progress.ts'
import type { RunningCall } from '../running-call.ts'
import type { Session } from './session.ts'
import type { SessionStream } from './session-stream.ts'

/**
 * A call's connection to its client. The stream opens with the first message: a call without messages is answered as plain
 * JSON. In a session the stream can be resumed, so from then on the call outlives its connection.
 */
export class CallClient implements Client, RunningCall {
  readonly abort: LazyAbort
  readonly #id: Id
  readonly #session: Session | undefined
  readonly #openStream: OpenStream | undefined
  /** At most one of the two: a stream of the session, or one that ends with its connection. */
  #stream: SessionStream | undefined
  #connection: EventStream | undefined
  #answered = false

  /** Without `openStream` the client accepts no event stream. */
  constructor(id: Id, abort: LazyAbort, session: Session | undefined, openStream: OpenStream | undefined) {
    this.#id = id
    this.abort = abort
    this.#session = session
    this.#openStream = openStream
  }

  get isConnected(): boolean {
    return this.#stream === undefined ? this.abort.reason === undefined : this.#stream.isConnected
  }

  get session(): string | undefined {
    return this.#session?.id
  }

  can(ability: ClientAbility): boolean {
    return this.#openStream !== undefined && (this.#session?.agreed.abilities.includes(ability) ?? false)
  }

  async ask<const R extends InputRequests>(requests: R): Promise<Answers<R>> {
    for (const { needs } of Object.values(requests)) if (!this.can(needs)) throw InputUnavailable({ ability: needs })
    if (this.#session === undefined) return {} as Answers<R>
    return await this.#session.questions.ask(requests, { say: (message) => this.say(message), signal: this.abort.signal })
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    const least = this.#session?.logLevel
    if (least === undefined || logLevels.indexOf(level) < logLevels.indexOf(least)) return
    this.#notify({ method: 'notifications/message', params: { level, logger, data: data ?? null } })
  }

  async detach(options?: { readonly required?: boolean }): Promise<void> {
    if (this.can('tasks')) {
      this.#open()
      this.#stream?.closeConnection()
    } else if (options?.required) throw InputUnavailable({ ability: 'tasks' })
  }

  /** Reports the call's progress, if its client asked for it and accepts a stream. */
  reporter(params: Params): ReportProgress | undefined {
    const token = this.#openStream && progressToken(params)
    return token === undefined ? undefined : progressReporter(token, (notification) => this.#notify(notification))
  }

  /** Sends a message that the client must receive. */
  say(message: string): void {
    if (this.#answered) return
    this.#open()
    this.#stream?.send(message)
    this.#connection?.send(message)
  }

  /** Sends a message that may be dropped while the client is too slow. */
  #notify(notification: Notification): void {
    if (!(this.#stream ?? this.#connection)?.full) this.say(notificationMessage(notification))
  }

  /**
   * Ends the stream with the answer, or without one if the client wants none. False if no stream was opened and the answer is
   * still to be sent.
   */
  finish(answer: string | Buffer | undefined): boolean {
    this.#answered = true
    if (this.#stream !== undefined) this.#finishStream(this.#stream, answer)
    if (this.#connection !== undefined) {
      if (answer !== undefined) this.#connection.send(answer)
      this.#connection.end()
    }
    return (this.#stream ?? this.#connection) !== undefined
  }

  #finishStream(stream: SessionStream, answer: string | Buffer | undefined): void {
    if (answer === undefined) return this.#session?.forget(stream)
    if (!stream.send(answer)) {
      const why = 'The answer is too large to be kept for a client that is away; stay connected, or ask for less'
      stream.send(errorMessage(this.#id, new RpcError(SERVER_ERROR, why, { length: answer.length })))
    }
    stream.finish()
  }

  #open(): void {
    if ((this.#stream ?? this.#connection) !== undefined) return
    // Stopped because nobody listens any more: there is no connection to open a stream on.
    if (this.#openStream === undefined || this.abort.reason !== undefined) return
    const connection = this.#openStream('call')
    if (this.#session === undefined) this.#connection = connection
    else {
      this.abort.outlivesConnection = true
      this.#stream = this.#session.openStream()
      this.#session.connect({ stream: this.#stream, after: 0 }, connection)
    }
  }
}
