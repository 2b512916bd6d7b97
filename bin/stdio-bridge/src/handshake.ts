import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type Id, isObject, type Message } from '@gateway/mcp/wire'
import { Delivery, isEventStream, type Place } from './delivery.ts'
import type { Endpoint } from './endpoint.ts'
import { ConnectionLost } from './errors.ts'
import { Exchange } from './exchange.ts'
import { headerValue } from './headers.ts'

type Request = Extract<Message, { kind: 'request' }>

/** Result of `initialize`. */
interface Session {
  /** Absent if the service keeps no sessions. */
  readonly id: string | undefined
  readonly version: string | undefined
  /** Ends its stream of unsolicited messages. */
  readonly end: AbortController
}

/** Request of the client that is sent again when another session is opened. */
interface Remembered {
  readonly id?: Id
  readonly body: Buffer
}

const INITIALIZED = Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}')
const RECONNECT_MS = 1_000
const LONGEST_WAIT_MS = 10_000

/**
 * Handshake protocol, protocol versions 2024-11-05 to 2025-11-25:
 *
 * 1. `initialize` opens a session; later messages of the client wait for it and name it;
 * 2. after `initialized` the stream of the service's unsolicited messages is opened, if it has one;
 * 3. a stream that is cut off is resumed where it ended;
 * 4. when the service no longer knows the session, another is opened with the client's first messages, its subscriptions and the
 *    level of its log messages included, and the request is sent again;
 * 5. in the end the session is ended.
 */
export class Handshake {
  readonly #endpoint: Endpoint
  readonly #delivery: Delivery
  /** Used for the bridge's own requests. */
  readonly #discarded: Delivery
  readonly #complain: (sentence: string) => void
  readonly #closing = new AbortController()
  #session: Promise<Session | undefined> = Promise.resolve(undefined)
  #initialize: Remembered | undefined
  /** Requests that set something in the session, by what they set. */
  readonly #settings = new Map<string, Remembered>()

  constructor(endpoint: Endpoint, delivery: Delivery, complain: (sentence: string) => void) {
    this.#endpoint = endpoint
    this.#delivery = delivery
    this.#discarded = new Delivery({ write: () => undefined }, endpoint.url)
    this.#complain = complain
  }

  /** Sends a request, or without it a batch. */
  async ask(exchange: Exchange, request?: Request): Promise<void> {
    if (request?.method === 'initialize') return await this.#begin(exchange, request)
    const { session, answer } = await this.#send(exchange)
    const place = await this.#delivery.deliver(answer, exchange, (response) => {
      if (request && 'result' in response) this.#remember(request, exchange.body)
    })
    if (place) await this.#resume(exchange, session, place)
  }

  async notify(exchange: Exchange, method?: string): Promise<void> {
    if (method !== 'notifications/initialized') return this.#expectTaken((await this.#send(exchange)).answer, method)
    // Later messages of the client must not overtake it.
    const before = this.#session
    const sent = before.then(async (session) => {
      await this.#expectTaken(await this.#post(exchange, session), method)
      if (session) this.#listen(session)
      return session
    })
    this.#session = sent.catch(() => before)
    await sent
  }

  /**
   * The session carries the cancellation to the service. Without a session, or before the request was sent, closing the
   * connection is enough.
   */
  async cancel(exchange: Exchange, id: Id, notice: Exchange): Promise<void> {
    exchange.unanswered.delete(id)
    const session = exchange.sent ? await this.#session : undefined
    if (session?.id !== undefined) return await this.notify(notice, 'notifications/cancelled')
    // The other requests of a batch go on.
    if (exchange.unanswered.size === 0) exchange.abort()
  }

  async close(signal: AbortSignal): Promise<void> {
    this.#closing.abort()
    await this.#end(await this.#session, signal)
  }

  async #begin(exchange: Exchange, { id }: Request): Promise<void> {
    const before = this.#session
    const opened = this.#open(exchange, this.#delivery)
    this.#session = opened.catch(() => undefined)
    this.#initialize = { id, body: exchange.body }
    this.#settings.clear()
    await opened
    await this.#end(await before, exchange.signal)
  }

  async #end(session: Session | undefined, signal: AbortSignal): Promise<void> {
    session?.end.abort()
    if (session?.id === undefined) return
    const answer = await this.#endpoint.request({ method: 'DELETE', headers: headersOf(session), signal, patienceMs: 0 })
    answer.resume()
  }

  async #open(exchange: Exchange, delivery: Delivery): Promise<Session | undefined> {
    const answer = await this.#post(exchange, undefined)
    let session: Session | undefined
    const place = await delivery.deliver(answer, exchange, ({ result }) => {
      if (!isObject(result)) return
      const id = headerValue(answer.headers['mcp-session-id'])
      session = { id, version: headerValue(result.protocolVersion), end: new AbortController() }
    })
    if (place && exchange.unanswered.size > 0) throw new ConnectionLost()
    return session
  }

  /** Sends it in the session. A service that has forgotten the session has not looked at the request. */
  async #send(exchange: Exchange): Promise<{ session: Session | undefined; answer: IncomingMessage }> {
    const session = await this.#session
    const answer = await this.#post(exchange, session)
    if (answer.statusCode !== 404 || session?.id === undefined) return { session, answer }
    answer.resume()
    const renewed = await this.#renew(session)
    return { session: renewed, answer: await this.#post(exchange, renewed) }
  }

  #post(exchange: Exchange, session: Session | undefined): Promise<IncomingMessage> {
    return this.#endpoint.request({
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headersOf(session) },
      body: exchange.body,
      signal: exchange.signal,
      onSent: () => {
        exchange.sent = true
      },
    })
  }

  async #expectTaken(answer: IncomingMessage, method = 'an answer'): Promise<void> {
    answer.resume()
    const { statusCode = 0 } = answer
    if (statusCode >= 300) this.#complain(`the service did not take ${method}: status ${statusCode}`)
  }

  #remember({ id, method, params }: Request, body: Buffer): void {
    if (method === 'logging/setLevel') this.#settings.set('level', { id, body })
    else if (method === 'resources/subscribe') this.#settings.set(`resource ${params.uri}`, { id, body })
    else if (method === 'resources/unsubscribe') this.#settings.delete(`resource ${params.uri}`)
  }

  /**
   * Many requests find at the same time that the session is gone; the first opens a new session, and all of them continue with
   * it.
   */
  async #renew(gone: Session): Promise<Session | undefined> {
    const known = this.#session
    if ((await known) !== gone || this.#session !== known) return await this.#session
    const renewed = this.#openAgain(gone)
    this.#session = renewed.catch(() => gone)
    return await renewed
  }

  async #openAgain(gone: Session): Promise<Session> {
    const session = this.#initialize && (await this.#open(this.#again(this.#initialize), this.#discarded))
    if (session === undefined) throw new Error('The service has forgotten the session and does not open another.')
    await this.#expectTaken(await this.#post(this.#again({ body: INITIALIZED }), session), 'notifications/initialized')
    for (const setting of this.#settings.values()) {
      const exchange = this.#again(setting)
      await this.#discarded.deliver(await this.#post(exchange, session), exchange)
    }
    gone.end.abort()
    this.#listen(session)
    this.#complain('the service no longer knew the session; another one is open')
    return session
  }

  #again({ id, body }: Remembered): Exchange {
    return new Exchange(body, id === undefined ? [] : [id], this.#closing)
  }

  async #resume(exchange: Exchange, session: Session | undefined, { lastEventId, retryMs }: Place): Promise<void> {
    while (exchange.unanswered.size > 0) {
      if (lastEventId === '') throw new ConnectionLost()
      await delay(retryMs ?? RECONNECT_MS, undefined, { signal: exchange.signal })
      const answer = await this.#getStream(session, lastEventId, exchange.signal)
      if (!isEventStream(answer)) throw new ConnectionLost()
      const place = await this.#delivery.deliver(answer, exchange)
      lastEventId = place?.lastEventId || lastEventId
      retryMs = place?.retryMs ?? retryMs
    }
  }

  /** Receives the service's unsolicited messages, as long as the session lives. */
  #listen(session: Session): void {
    this.#receive(session).catch((error: unknown) => {
      if (!session.end.signal.aborted) this.#complain(`messages of the service’s own no longer arrive: ${(error as Error).message}`)
    })
  }

  async #receive(session: Session): Promise<void> {
    const { signal } = session.end
    const unasked = new Exchange(Buffer.alloc(0), [])
    let place: Place = { lastEventId: '', retryMs: undefined }
    let lost = false
    for (let wait = RECONNECT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      const answer = await this.#getStream(session, place.lastEventId, signal, 0).catch(() => undefined)
      if (answer && isEventStream(answer)) {
        const end = await this.#delivery.deliver(answer, unasked)
        place = { lastEventId: end?.lastEventId || place.lastEventId, retryMs: end?.retryMs ?? place.retryMs }
        wait = place.retryMs ?? RECONNECT_MS
      } else if (answer?.statusCode === 404 && lost) {
        if (await this.#renew(session).then(Boolean, () => false)) return
      }
      // The position is no longer known: messages sent since then are lost.
      else if (answer?.statusCode === 400 && place.lastEventId !== '') place = { ...place, lastEventId: '' }
      else if (answer && !PASSING.has(answer.statusCode ?? 0)) return
      // After this, 404 means that the session is gone; before, it would mean that the stream never existed.
      lost = true
      await delay(wait, undefined, { signal })
    }
  }

  async #getStream(session: Session | undefined, lastEventId: string, signal: AbortSignal, patienceMs?: number): Promise<IncomingMessage> {
    const from = lastEventId === '' ? {} : { 'last-event-id': lastEventId }
    const headers = { accept: 'text/event-stream', ...headersOf(session), ...from }
    const answer = await this.#endpoint.request({ method: 'GET', headers, signal, ...(patienceMs !== undefined && { patienceMs }) })
    if (!isEventStream(answer)) answer.resume()
    return answer
  }
}

/** Another stream is still open, or the service has too much to do; 405 and the like say that no stream exists. */
const PASSING = new Set([409, 429, 500, 502, 503, 504])

const headersOf = (session: Session | undefined): OutgoingHttpHeaders => ({
  ...(session?.id !== undefined && { 'mcp-session-id': session.id }),
  ...(session?.version !== undefined && { 'mcp-protocol-version': session.version }),
})
