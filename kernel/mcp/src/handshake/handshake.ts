import type { Gateway } from '@gateway/kernel'
import type { Principal } from '@gateway/sdk'
import type { Dispatch } from '../dispatcher.ts'
import type { EventStream, OpenStream } from '../event-stream.ts'
import {
  errorMessage,
  type Id,
  INTERNAL,
  INVALID_REQUEST,
  type Message,
  type Params,
  type Response,
  RpcError,
  readableId,
  readMessage,
  resultMessage,
  SERVER_ERROR,
} from '../jsonrpc.ts'
import { LazyAbort } from '../lazy-abort.ts'
import type { LiveStreams } from '../live-streams.ts'
import type { Operations } from '../operations.ts'
import { isRefusal } from '../tools.ts'
import type { View } from '../views.ts'
import { answersInTurn } from './batch.ts'
import { BatchPlaces } from './batch-places.ts'
import { CallClient } from './call-client.ts'
import { initialize } from './initialize.ts'
import { KeptSessions } from './kept-sessions.ts'
import { sendNotices } from './notices.ts'
import { invalidRequest, sessionMissing, sessionNotFound, unsupportedVersion } from './refusals.ts'
import type { Place, Session } from './session.ts'
import { type SessionMethod, sessionMethods } from './session-methods.ts'
import { ASSUMED, hasBatches, isVersion } from './versions.ts'

/**
 * The era in which a client shakes hands, protocol versions 2024-11-05 to 2025-11-25:
 *
 * 1. `initialize` agrees on a version, opens a session and hands out the boot bundle;
 * 2. requests name the session; they are also served without one, so that a single plain POST works;
 * 3. an answer is plain JSON, unless the call has something to say before it: progress, a log message, a question. Then
 *    it is an event stream, and in a session the client can lose that and come back to it;
 * 4. `notifications/cancelled` reaches a call of the same session (a caller without one hangs up instead);
 * 5. GET listens to what belongs to no call, or goes on with a stream that was lost;
 * 6. DELETE ends the session; so do a day of silence, too many of its tenant, and the tenant’s suspension. It outlives a restart,
 *    and any node serves it (`KeptSessions`).
 */
const MAX_BATCH = 100

const CANCELLED = new Error('cancelled by the client')

/** What a client said to one node, for the others. */
const SAID = 'mcp.said'
interface Said {
  readonly sessionId: string
  readonly message: Extract<Message, { kind: 'notification' }> | Response
}

type MaybeLater<T> = T | Promise<T>

/** What every request to the endpoint has. */
interface Call {
  readonly principal: Principal
  readonly sessionId: string | undefined
  readonly version: string | undefined
}

/** One POST as the transport received it. */
export interface Exchange extends Call {
  readonly body: unknown
  readonly requestId: string
  readonly view: View
  /** Aborted by the transport when the client goes away. */
  readonly abort: LazyAbort
  /** Opens an event stream in place of a JSON answer; absent when the client takes none. */
  readonly openStream: OpenStream | undefined
}

/** One GET. */
export interface Listening extends Call {
  readonly lastEventId: string | undefined
  readonly openStream: OpenStream
}

/** What to answer; no body with 202 and 204. */
export interface Answer {
  readonly status: number
  readonly body?: string | Buffer
  readonly sessionId?: string
}

export class Handshake {
  readonly sessions: KeptSessions
  readonly #gateway: Gateway
  readonly #dispatch: Dispatch
  readonly #live: LiveStreams
  readonly #operations: Operations
  readonly #sessionMethods: ReadonlyMap<string, SessionMethod>
  readonly #batches = new BatchPlaces()

  constructor(gateway: Gateway, dispatch: Dispatch, { live, operations }: { live: LiveStreams; operations: Operations }) {
    this.#gateway = gateway
    this.#dispatch = dispatch
    this.#live = live
    this.#operations = operations
    this.sessions = new KeptSessions(gateway, ({ agreed, usedMs }) => operations.sessionEnded(agreed.version, usedMs))
    this.#sessionMethods = sessionMethods(gateway, this.sessions)
    sendNotices(gateway, this.sessions.here)
    gateway.relay.hear(SAID, ({ data }) => this.#hearFromElsewhere(data as Said))
  }

  /** Undefined when the answer went out as an event stream. */
  post(exchange: Exchange): Promise<Answer | undefined> | Answer {
    const { body } = exchange
    return this.#inSession(exchange, readableId(body), (session) => {
      if (!Array.isArray(body)) return this.#single(readMessage(body), exchange, session)
      return this.#batch(body, exchange, session, session?.agreed.version ?? exchange.version ?? ASSUMED)
    }) as Promise<Answer | undefined> | Answer
  }

  /** Undefined when an event stream was opened. */
  get(listening: Listening): MaybeLater<Answer | undefined> {
    return this.#inSession(listening, null, (session) => {
      if (session === undefined) return sessionMissing('listen to')
      const { lastEventId } = listening
      const place = lastEventId === undefined ? session.standalone : session.placeOf(lastEventId)
      if (place === undefined) return invalidRequest(null, 'Last-Event-ID names no event of this session')
      return this.#listen(session, place, listening)
    })
  }

  delete(call: Call): MaybeLater<Answer | undefined> {
    return this.#inSession(call, null, async (session) => {
      if (session === undefined) return sessionMissing('end')
      await this.sessions.end(session)
      return { status: 204 }
    })
  }

  /** Lets go of what is out of time; to be called every few seconds. */
  tick(): void {
    this.sessions.tick()
  }

  endQuestions(): void {
    for (const session of this.sessions.here.all()) session.endQuestions()
  }

  /** Ends the streams that wait for nothing in particular, and the questions nobody will answer any more. */
  close(): void {
    for (const session of this.sessions.here.all()) session.close()
  }

  /** Goes on in the session that was named, if any; refuses one that does not exist, or the version. */
  #inSession(
    { principal, version, sessionId }: Call,
    id: Id | null,
    goOn: (session: Session | undefined) => MaybeLater<Answer | undefined>,
  ): MaybeLater<Answer | undefined> {
    if (version !== undefined && !isVersion(version)) return unsupportedVersion(version, id)
    if (sessionId === undefined) return goOn(undefined)
    const goOnIn = (session: Session | undefined) => (session === undefined ? sessionNotFound(id) : goOn(session))
    const found = this.sessions.find(sessionId, principal)
    return found instanceof Promise ? found.then(goOnIn) : goOnIn(found)
  }

  #listen(session: Session, place: Place, { principal, openStream }: Listening): Answer | undefined {
    // To browsers and clients alike: do not come back to this stream.
    if (place.stream.endsWith(place.after)) return { status: 204 }
    session.connect(place, this.listeningStream(principal, openStream, session))
    return undefined
  }

  /** A stream that is held open for what may come. Throws UNAVAILABLE when the tenant has its share of them. */
  listeningStream(principal: Principal, openStream: OpenStream, session?: Session): EventStream {
    this.#live.requireRoom(principal.tenantId)
    return this.#opened(() => openStream('listening'), principal, session)
  }

  #opened(openStream: () => EventStream, { tenantId }: Principal, session: Session | undefined, abort?: LazyAbort): EventStream {
    const stream = openStream()
    // What belongs to a session is stopped with it.
    this.#live.add(stream, { tenantId, stop: (why) => (session === undefined ? abort?.abort(why) : undefined) })
    if (session !== undefined) stream.onClose(() => this.sessions.here.touch(session))
    return stream
  }

  async #single(message: Message, exchange: Exchange, session: Session | undefined): Promise<Answer | undefined> {
    if (message.kind === 'invalid') {
      const { id, error } = message
      return { status: error.code === INVALID_REQUEST ? 400 : 200, body: errorMessage(id, error) }
    }
    if (message.kind !== 'request') {
      await this.#hear(message, session)
      return { status: 202 }
    }
    if (message.method === 'initialize') return await this.#initialize(message, exchange, session)
    const { principal, abort, openStream } = exchange
    const open = openStream && (() => this.#opened(() => openStream('call'), principal, session, abort))
    const client = new CallClient(message.id, abort, session, open)
    const body = await this.#answer(message, exchange, session, client)
    if (client.finish(body)) return undefined
    return body === undefined ? { status: 202 } : { status: 200, body }
  }

  async #batch(entries: readonly unknown[], exchange: Exchange, session: Session | undefined, version: string): Promise<Answer> {
    const refuse = (why: string) => invalidRequest(null, why)
    if (!hasBatches(version)) return refuse(`protocol version ${version} has no batches; send one message per POST`)
    if (entries.length === 0 || entries.length > MAX_BATCH) return refuse(`a batch has 1 to ${MAX_BATCH} messages; got ${entries.length}`)
    // Each can be cancelled by itself; all end when the client goes away.
    const aborts = entries.map(() => new LazyAbort())
    const { signal } = exchange.abort
    const abortAll = (): void => {
      for (const abort of aborts) abort.abort(signal.reason as Error)
    }
    signal.addEventListener('abort', abortAll, { once: true })
    const maxBytes = this.#gateway.settings.answerLimitBytes
    const bodies = await answersInTurn(entries.map(readMessage), {
      maxBytes,
      wantsAnswer: ({ kind }) => kind === 'request' || kind === 'invalid',
      answer: (message, at) => this.#batchEntry(message, exchange, session, aborts[at] as LazyAbort),
      refuse: (message) => errorMessage('id' in message ? message.id : null, batchTooLarge(maxBytes)),
      inPlace: (work) => this.#batches.take(exchange.principal.tenantId, work, (leave) => exchange.abort.afterReply(leave)),
    })
    return bodies.length === 0 ? { status: 202 } : { status: 200, body: `[${bodies.join(',')}]` }
  }

  async #batchEntry(
    message: Message,
    exchange: Exchange,
    session: Session | undefined,
    abort: LazyAbort,
  ): Promise<string | Buffer | undefined> {
    if (message.kind === 'invalid') return errorMessage(message.id, message.error)
    if (message.kind !== 'request') return await this.#hear(message, session)
    if (message.method === 'initialize') {
      return errorMessage(message.id, new RpcError(INVALID_REQUEST, 'Invalid request: initialize stands alone, not in a batch'))
    }
    // All answers go out together, so that there is no stream of one’s own.
    return await this.#answer(message, exchange, session, new CallClient(message.id, abort, session, undefined))
  }

  /** The whole answer, or undefined when the client cancelled: then nothing may be said any more. */
  async #answer(
    { id, method, params }: Extract<Message, { kind: 'request' }>,
    { principal, requestId, view }: Exchange,
    session: Session | undefined,
    client: CallClient,
  ): Promise<string | Buffer | undefined> {
    const { abort } = client
    const since = performance.now()
    try {
      const setting = this.#sessionMethods.get(method)
      if (setting !== undefined) {
        await setting(params, session)
        this.#operations.answered(method, since)
        return resultMessage(id, '{}')
      }
      session?.running.set(id, client)
      const result = await this.#dispatch(method, params, { principal, requestId, view, abort, client, progress: client.reporter(params) })
      this.#operations.answered(method, since, isRefusal(result))
      return abort.reason === CANCELLED ? undefined : resultMessage(id, result)
    } catch (error) {
      this.#operations.failed(method, since, error)
      return abort.reason === CANCELLED ? undefined : this.#failure(id, error, method, requestId)
    } finally {
      if (session?.running.get(id) === client) session.running.delete(id)
    }
  }

  #failure(id: Id, error: unknown, method: string, requestId: string): string {
    if (error instanceof RpcError) return errorMessage(id, error)
    this.#gateway.log.error({ err: error, method, requestId }, 'an MCP method failed')
    return errorMessage(id, new RpcError(INTERNAL, 'Internal error', { requestId }))
  }

  /** What is meant for a call that another node runs is handed on. */
  async #hear(message: Said['message'], session: Session | undefined): Promise<undefined> {
    if (session === undefined || this.#hearHere(message, session)) return
    const { id, owner } = session
    const said: Said = { sessionId: id, message }
    await this.#gateway.relay.tellSurely({ topic: SAID, tenantId: owner.tenantId, data: said })
  }

  #hearFromElsewhere({ sessionId, message }: Said): void {
    const session = this.sessions.here.get(sessionId)
    if (session) this.#hearHere(message, session)
  }

  /** False when it may be meant for a call of this session on another node. */
  #hearHere(message: Said['message'], session: Session): boolean {
    if (message.kind === 'response') return session.questions.hear(message)
    if (message.method !== 'notifications/cancelled') return true
    const call = session.running.get(message.params.requestId as Id)
    call?.abort.abort(CANCELLED)
    return call !== undefined
  }

  async #initialize(
    { id, params }: { readonly id: Id; readonly params: Params },
    { principal, requestId, view }: Exchange,
    session: Session | undefined,
  ): Promise<Answer> {
    if (session !== undefined) return invalidRequest(id, 'this session is initialized already')
    const since = performance.now()
    try {
      const { agreed, result } = await initialize(this.#gateway, principal, view, params)
      const { id: sessionId } = await this.sessions.open(principal, agreed)
      this.#operations.answered('initialize', since)
      return { status: 200, body: resultMessage(id, result), sessionId }
    } catch (error) {
      this.#operations.failed('initialize', since, error)
      return { status: 200, body: this.#failure(id, error, 'initialize', requestId) }
    }
  }
}

const batchTooLarge = (maxBytes: number): RpcError =>
  new RpcError(SERVER_ERROR, `Not begun: the answers to this batch already have more than ${maxBytes} bytes; send this message again`)
