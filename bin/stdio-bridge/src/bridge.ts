import type { Readable, Writable } from 'node:stream'
import { errorMessage, type Id, INTERNAL, INVALID_REQUEST, type Message, PARSE_ERROR, readMessage, SERVER_ERROR } from '@gateway/mcp/wire'
import { within } from '@gateway/sdk/bounds'
import { Delivery, parseJson } from './delivery.ts'
import { type Endpoint, NotReached } from './endpoint.ts'
import { ConnectionLost } from './errors.ts'
import { Exchange } from './exchange.ts'
import { Handshake } from './handshake.ts'
import { LineWriter } from './line-writer.ts'
import { lines } from './lines.ts'
import { notReached } from './not-reached.ts'
import { isStateless, Stateless } from './stateless.ts'

type Request = Extract<Message, { kind: 'request' }>

export const MAX_LINE_BYTES = 16_777_216
const MAX_REQUESTS = 1_024
const MAX_REQUEST_BYTES = 67_108_864
/** Messages without an answer are sent soon, or dropped: the client may wait for them. */
const MAX_NOTIFICATIONS = 16
const ANSWERS_AFTER_INPUT_END_MS = 1_000
const CLOSE_LIMIT_MS = 500

interface Running {
  readonly exchange: Exchange
  readonly stateless: boolean
}
type RunningExchanges = Map<Exchange, Promise<void>>

/**
 * Connects a client that writes and reads JSON-RPC lines to the endpoint of the service. Requests run concurrently and are
 * answered as they finish. Memory is bounded: too long a line and too many requests are refused, and reading stops for a client
 * that does not read.
 */
export class Bridge {
  readonly #input: Readable
  readonly #out: LineWriter
  readonly #endpoint: Endpoint
  readonly #delivery: Delivery
  readonly #handshake: Handshake
  readonly #stateless: Stateless
  readonly #complain: (sentence: string) => void
  readonly #running = new Map<Id, Running>()
  readonly #asked: RunningExchanges = new Map()
  readonly #subscribed: RunningExchanges = new Map()
  readonly #notifications: RunningExchanges = new Map()
  #bytes = 0

  constructor(parts: { input: Readable; output: Writable; endpoint: Endpoint; complain: (sentence: string) => void }) {
    this.#input = parts.input
    this.#out = new LineWriter(parts.output)
    this.#endpoint = parts.endpoint
    this.#complain = parts.complain
    this.#delivery = new Delivery(this.#out, parts.endpoint.url)
    this.#handshake = new Handshake(parts.endpoint, this.#delivery, parts.complain)
    this.#stateless = new Stateless(parts.endpoint, this.#delivery)
  }

  /** Runs until the client has sent its last message, or reads no more, or `stop` is fulfilled. */
  async run(stop: Promise<unknown>): Promise<void> {
    let over = false
    const end = Promise.race([this.#out.left, stop]).then(() => {
      over = true
      this.#input.destroy()
    })
    try {
      for await (const line of lines(this.#input, MAX_LINE_BYTES)) {
        const busy = this.#take(line) ?? this.#out.room()
        if (busy) await Promise.race([busy, end])
        if (over) break
      }
    } catch (error) {
      if (!over) this.#complain(`the client can no longer be read: ${(error as Error).message}`)
    }
    const answers = Promise.all([...this.#asked.values(), ...this.#notifications.values()])
    if (!over) await within<unknown>(Promise.race([end, answers]), ANSWERS_AFTER_INPUT_END_MS, undefined)
    await this.#close()
  }

  async #close(): Promise<void> {
    for (const works of [this.#asked, this.#subscribed, this.#notifications]) for (const exchange of works.keys()) exchange.abort()
    this.#stateless.close()
    // A stopped service has forgotten the session anyway.
    await this.#handshake.close(AbortSignal.timeout(CLOSE_LIMIT_MS)).catch(() => undefined)
    this.#endpoint.close()
    await this.#out.flush(CLOSE_LIMIT_MS)
  }

  /** Only messages without an answer may have to wait: others would wait for later messages of the client. */
  #take(line: Buffer | undefined): Promise<void> | undefined {
    if (line === undefined) return this.#refuse(null, INVALID_REQUEST, `Invalid request: a line has at most ${MAX_LINE_BYTES} bytes`)
    const text = line.toString()
    if (text.trim() === '') return undefined
    const value = parseJson(text)
    if (value === undefined) return this.#refuse(null, PARSE_ERROR, 'Parse error: a line is one JSON-RPC message')
    if (Array.isArray(value) && value.length > 0) return this.#takeBatch(line, value.map(readMessage))
    const message = readMessage(value)
    switch (message.kind) {
      case 'invalid':
        return this.#refuse(message.id, message.error.code, message.error.message)
      case 'request':
        this.#takeRequest(line, message)
        return undefined
      case 'notification':
        return this.#takeNotification(line, message)
      default:
        return this.#notify(new Exchange(line, []), (exchange) => this.#handshake.notify(exchange))
    }
  }

  #takeRequest(line: Buffer, request: Request): void {
    const stateless = isStateless(request.params)
    const works = request.method === 'subscriptions/listen' ? this.#subscribed : this.#asked
    const ask = (exchange: Exchange): Promise<void> => (stateless ? this.#stateless : this.#handshake).ask(exchange, request)
    this.#ask(new Exchange(line, [request.id]), works, stateless, ask)
  }

  #takeBatch(line: Buffer, messages: readonly Message[]): Promise<void> | undefined {
    const ids = messages.flatMap(awaitedIds)
    const exchange = new Exchange(line, ids)
    if (ids.length === 0) return this.#notify(exchange, () => this.#handshake.notify(exchange))
    this.#ask(exchange, this.#asked, false, () => this.#handshake.ask(exchange))
    return undefined
  }

  #takeNotification(line: Buffer, { method, params }: Extract<Message, { kind: 'notification' }>): Promise<void> | undefined {
    const exchange = new Exchange(line, [])
    if (method === 'notifications/cancelled') return this.#cancel(params.requestId as Id, exchange)
    if (isStateless(params)) return this.#notify(exchange, () => this.#stateless.notify(exchange, method, params))
    return this.#notify(exchange, () => this.#handshake.notify(exchange, method))
  }

  #cancel(id: Id, notice: Exchange): Promise<void> | undefined {
    const running = this.#running.get(id)
    if (running === undefined) return undefined
    if (!running.stateless) return this.#notify(notice, () => this.#handshake.cancel(running.exchange, id, notice))
    running.exchange.abort()
    return undefined
  }

  #ask(exchange: Exchange, works: RunningExchanges, stateless: boolean, work: (exchange: Exchange) => Promise<void>): void {
    const count = this.#asked.size + this.#subscribed.size
    if (count >= MAX_REQUESTS || this.#bytes + exchange.body.length > MAX_REQUEST_BYTES) {
      const message = `Too many requests at once: at most ${MAX_REQUESTS}, of ${MAX_REQUEST_BYTES} bytes together.`
      return this.#delivery.fail(exchange, { code: SERVER_ERROR, message })
    }
    const ids = [...exchange.unanswered]
    const running = { exchange, stateless }
    for (const id of ids) this.#running.set(id, running)
    this.#bytes += exchange.body.length
    void this.#run(exchange, works, work).then(() => {
      this.#bytes -= exchange.body.length
      for (const id of ids) if (this.#running.get(id) === running) this.#running.delete(id)
    })
  }

  async #notify(exchange: Exchange, work: (exchange: Exchange) => Promise<void>): Promise<void> {
    while (this.#notifications.size >= MAX_NOTIFICATIONS) await Promise.race(this.#notifications.values())
    void this.#run(exchange, this.#notifications, work)
  }

  #run(exchange: Exchange, works: RunningExchanges, work: (exchange: Exchange) => Promise<void>): Promise<void> {
    const done = work(exchange)
      .catch((error: unknown) => this.#explain(exchange, error))
      .finally(() => works.delete(exchange))
    works.set(exchange, done)
    return done
  }

  #explain(exchange: Exchange, error: unknown): void {
    if (exchange.signal.aborted) return
    const message = sentence(error, this.#endpoint.url)
    if (exchange.unanswered.size === 0) this.#complain(message)
    else this.#delivery.fail(exchange, { code: INTERNAL, message })
  }

  #refuse(id: Id | null, code: number, message: string): undefined {
    void this.#out.write(errorMessage(id, { code, message, data: undefined }))
    return undefined
  }
}

/** Returns the ids under which the client waits for answers: also for malformed messages, if the ids can be read. */
function awaitedIds(message: Message): readonly Id[] {
  return (message.kind === 'request' || message.kind === 'invalid') && message.id !== null ? [message.id] : []
}

function sentence(error: unknown, url: string): string {
  if (error instanceof NotReached) return notReached(url, error.cause)
  const { code, message } = error as NodeJS.ErrnoException
  return code === undefined ? message : new ConnectionLost().message
}
