import type { Principal } from '@gateway/sdk'
import type { Gateway } from '../gateway.ts'
import { LazyAbort } from '../lazy-abort.ts'
import type { Dispatch } from './dispatcher.ts'
import type { EventStream, OpenStream } from './event-stream.ts'
import { CallClient } from './handshake/call-client.ts'
import { initialize } from './handshake/initialize.ts'
import { sendNotices } from './handshake/notices.ts'
import { invalidRequest, sessionMissing, sessionNotFound, unsupportedVersion } from './handshake/refusals.ts'
import type { Place, Session } from './handshake/session.ts'
import { type SessionMethod, sessionMethods } from './handshake/session-methods.ts'
import { Sessions } from './handshake/sessions.ts'
import { ASSUMED, hasBatches, isVersion } from './handshake/versions.ts'
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
} from './jsonrpc.ts'
import type { LiveStreams } from './live-streams.ts'
import type { View } from './views.ts'

/**
 * The era in which a client shakes hands, protocol versions 2024-11-05 to 2025-11-25:
 *
 * 1. `initialize` agrees on a version, opens a session and hands out the boot bundle;
 * 2. requests name the session; they are also served without one, so that a single plain POST works;
 * 3. an answer is plain JSON, unless the call has something to say before it: progress, a log message, a question. Then
 *    it is an event stream, and in a session the client can lose that and come back to it;
 * 4. `notifications/cancelled` reaches a call of the same session (a caller without one hangs up instead);
 * 5. GET listens to what belongs to no call, or goes on with a stream that was lost;
 * 6. DELETE ends the session; so do an hour of silence, a full table, and the suspension of its tenant.
 */
const MAX_BATCH = 100

const CANCELLED = new Error('cancelled by the client')

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
  readonly sessions: Sessions
  readonly #gateway: Gateway
  readonly #dispatch: Dispatch
  readonly #live: LiveStreams
  readonly #sessionMethods: ReadonlyMap<string, SessionMethod>

  constructor(gateway: Gateway, dispatch: Dispatch, live: LiveStreams) {
    this.#gateway = gateway
    this.#dispatch = dispatch
    this.#live = live
    this.sessions = new Sessions(gateway.clock)
    this.#sessionMethods = sessionMethods(gateway, this.sessions.subscriptions)
    gateway.onTenantBlocked((tenantId) => this.sessions.endTenant(tenantId))
    sendNotices(gateway, this.sessions)
  }

  /** Undefined when the answer went out as an event stream. */
  post(exchange: Exchange): Promise<Answer | undefined> | Answer {
    const { body } = exchange
    const session = this.#sessionOf(exchange, readableId(body))
    if (isRefusal(session)) return session
    if (!Array.isArray(body)) return this.#single(readMessage(body), exchange, session)
    return this.#batch(body, exchange, session, session?.agreed.version ?? exchange.version ?? ASSUMED)
  }

  /** Undefined when an event stream was opened. */
  get(listening: Listening): Answer | undefined {
    const session = this.#sessionOf(listening, null)
    if (isRefusal(session)) return session
    if (session === undefined) return sessionMissing('listen to')
    const { lastEventId } = listening
    const place = lastEventId === undefined ? session.standalone : session.placeOf(lastEventId)
    if (place === undefined) return invalidRequest(null, 'Last-Event-ID names no event of this session')
    return this.#listen(session, place, listening)
  }

  delete(call: Call): Answer {
    const session = this.#sessionOf(call, null)
    if (isRefusal(session)) return session
    if (session === undefined) return sessionMissing('end')
    this.sessions.end(session)
    return { status: 204 }
  }

  /** Lets go of what is out of time; to be called every few seconds. */
  tick(): void {
    this.sessions.tick()
  }

  /** Ends the streams that wait for nothing in particular, and the questions nobody will answer any more. */
  close(): void {
    for (const session of this.sessions.all()) session.close()
  }

  /** A refusal when the session that was named does not exist, or the version. */
  #sessionOf({ principal, version, sessionId }: Call, id: Id | null): Session | Answer | undefined {
    if (version !== undefined && !isVersion(version)) return unsupportedVersion(version, id)
    if (sessionId === undefined) return undefined
    return this.sessions.find(sessionId, principal) ?? sessionNotFound(id)
  }

  #listen(session: Session, place: Place, { principal, openStream }: Listening): Answer | undefined {
    // To browsers and clients alike: do not come back to this stream.
    if (place.stream.endsWith(place.after)) return { status: 204 }
    session.connect(
      place,
      this.#opened(() => openStream('listening'), principal, session),
    )
    return undefined
  }

  #opened(openStream: () => EventStream, { tenantId }: Principal, session: Session | undefined, abort?: LazyAbort): EventStream {
    const stream = openStream()
    // What belongs to a session is stopped with it.
    this.#live.add(stream, { tenantId, stop: (why) => (session === undefined ? abort?.abort(why) : undefined) })
    if (session !== undefined) stream.onClose(() => this.sessions.touch(session))
    return stream
  }

  async #single(message: Message, exchange: Exchange, session: Session | undefined): Promise<Answer | undefined> {
    if (message.kind === 'invalid') {
      const { id, error } = message
      return { status: error.code === INVALID_REQUEST ? 400 : 200, body: errorMessage(id, error) }
    }
    if (message.kind !== 'request') {
      this.#hear(message, session)
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
    const answers = await Promise.all(
      entries.map((entry, i) => this.#batchEntry(readMessage(entry), exchange, session, aborts[i] as LazyAbort)),
    )
    const bodies = answers.filter((body) => body !== undefined)
    return bodies.length === 0 ? { status: 202 } : { status: 200, body: `[${bodies.join(',')}]` }
  }

  async #batchEntry(
    message: Message,
    exchange: Exchange,
    session: Session | undefined,
    abort: LazyAbort,
  ): Promise<string | Buffer | undefined> {
    if (message.kind === 'invalid') return errorMessage(message.id, message.error)
    if (message.kind !== 'request') return this.#hear(message, session)
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
    try {
      const setting = this.#sessionMethods.get(method)
      if (setting !== undefined) {
        setting(params, session)
        return resultMessage(id, '{}')
      }
      session?.running.set(id, client)
      const result = await this.#dispatch(method, params, { principal, requestId, view, abort, client, progress: client.reporter(params) })
      return abort.reason === CANCELLED ? undefined : resultMessage(id, result)
    } catch (error) {
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

  #hear(message: Extract<Message, { kind: 'notification' }> | Response, session: Session | undefined): undefined {
    if (message.kind === 'response') session?.questions.hear(message)
    else if (message.method === 'notifications/cancelled') session?.running.get(message.params.requestId as Id)?.abort.abort(CANCELLED)
  }

  async #initialize(
    { id, params }: { readonly id: Id; readonly params: Params },
    { principal, requestId, view }: Exchange,
    session: Session | undefined,
  ): Promise<Answer> {
    if (session !== undefined) return invalidRequest(id, 'this session is initialized already')
    try {
      const { agreed, result } = await initialize(this.#gateway, principal, view, params)
      return { status: 200, body: resultMessage(id, result), sessionId: this.sessions.open(principal, agreed).id }
    } catch (error) {
      return { status: 200, body: this.#failure(id, error, 'initialize', requestId) }
    }
  }
}

const isRefusal = (found: Session | Answer | undefined): found is Answer => found !== undefined && 'status' in found
