import type { Gateway } from '@gateway/kernel'
import type { Principal } from '@gateway/sdk'
import type { EventStream, OpenStream } from '../event-stream.ts'
import { errorMessage, type Id, INVALID_REQUEST, type Message, type Params, readableId, readMessage, resultMessage } from '../jsonrpc.ts'
import type { LazyAbort } from '../lazy-abort.ts'
import type { LiveStreams } from '../live-streams.ts'
import type { Dispatch } from '../methods.ts'
import type { Operations } from '../operations.ts'
import { Batches } from './batches.ts'
import { CallClient } from './call-client.ts'
import { ClientMessageRouter } from './client-message-router.ts'
import type { Answer, Call, Exchange, Listening } from './exchange.ts'
import { initialize } from './initialize.ts'
import { sendNotices } from './notices.ts'
import { PersistentSessions } from './persistent-sessions.ts'
import { invalidRequest, sessionMissing, sessionNotFound, unsupportedVersion } from './refusals.ts'
import { Requests } from './requests.ts'
import type { Place, Session } from './session.ts'
import { ASSUMED, isVersion } from './versions.ts'

type MaybeLater<T> = T | Promise<T>

/**
 * The handshake protocol, revisions 2024-11-05 to 2025-11-25:
 *
 * 1. `initialize` agrees on a version, opens a session and returns the boot bundle.
 * 2. Requests name the session. They are also served without one, so that a single plain POST works.
 * 3. An answer is plain JSON, unless the call sends something before it: progress, a log message, a question. Then it is an
 *    event stream, and in a session the client can lose and resume it.
 * 4. `notifications/cancelled` reaches a call of the same session (a caller without one closes the connection instead).
 * 5. GET listens to messages that belong to no call, or resumes a lost stream.
 * 6. DELETE ends the session; so do a day of silence, too many sessions of its tenant, and the tenant's suspension. It survives
 *    a restart, and any node serves it (`PersistentSessions`).
 */
export class Handshake {
  readonly sessions: PersistentSessions
  readonly #gateway: Gateway
  readonly #live: LiveStreams
  readonly #operations: Operations
  readonly #requests: Requests
  readonly #router: ClientMessageRouter
  readonly #batches: Batches

  constructor(gateway: Gateway, dispatch: Dispatch, { live, operations }: { live: LiveStreams; operations: Operations }) {
    this.#gateway = gateway
    this.#live = live
    this.#operations = operations
    this.sessions = new PersistentSessions(gateway, ({ agreed, usedMs }) => operations.sessionEnded(agreed.version, usedMs))
    this.#requests = new Requests(gateway, dispatch, operations, this.sessions)
    sendNotices(gateway, this.sessions.here)
    this.#router = new ClientMessageRouter(gateway.relay, this.sessions.here)
    this.#batches = new Batches(gateway, this.#requests, this.#router)
  }

  /** Undefined if the answer was sent as an event stream. */
  post(exchange: Exchange): Promise<Answer | undefined> | Answer {
    const { body } = exchange
    return this.#inSession(exchange, readableId(body), (session) => {
      if (!Array.isArray(body)) return this.#single(readMessage(body), exchange, session)
      return this.#batches.answer(body, exchange, session, session?.agreed.version ?? exchange.version ?? ASSUMED)
    }) as Promise<Answer | undefined> | Answer
  }

  /** Undefined if an event stream was opened. */
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

  /** Drops expired state; called every few seconds. */
  tick(): void {
    this.sessions.tick()
  }

  endQuestions(): void {
    for (const session of this.sessions.here.all()) session.endQuestions()
  }

  /** Ends idle streams, and questions that nobody will answer any more. */
  close(): void {
    for (const session of this.sessions.here.all()) session.close()
  }

  /** Continues in the named session, if any; refuses an unknown one, or the version. */
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
    // Tells browsers and clients not to resume this stream.
    if (place.stream.endsWith(place.after)) return { status: 204 }
    session.connect(place, this.listeningStream(principal, openStream, session))
    return undefined
  }

  /** A stream that is held open for later messages. Throws UNAVAILABLE if the tenant has used its share. */
  listeningStream(principal: Principal, openStream: OpenStream, session?: Session): EventStream {
    this.#live.requireRoom(principal.tenantId)
    return this.#opened(() => openStream('listening'), principal, session)
  }

  #opened(openStream: () => EventStream, { tenantId }: Principal, session: Session | undefined, abort?: LazyAbort): EventStream {
    const stream = openStream()
    // A session's own calls are stopped with it.
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
      await this.#router.deliver(message, session)
      return { status: 202 }
    }
    if (message.method === 'initialize') return await this.#initialize(message, exchange, session)
    const { principal, abort, openStream } = exchange
    const open = openStream && (() => this.#opened(() => openStream('call'), principal, session, abort))
    const client = new CallClient(message.id, abort, session, open)
    const body = await this.#requests.answer(message, exchange, session, client)
    if (client.finish(body)) return undefined
    return body === undefined ? { status: 202 } : { status: 200, body }
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
      return { status: 200, body: this.#requests.failure(id, error, 'initialize', requestId) }
    }
  }
}
