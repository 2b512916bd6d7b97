import { randomUUID } from 'node:crypto'
import { Overloaded } from '@gateway/kernel'
import type { Principal } from '@gateway/sdk'
import type { EventStream, OpenStream } from './event-stream.ts'
import type { Answer } from './handshake/exchange.ts'
import type { Handshake } from './handshake/handshake.ts'
import { sessionNotFound } from './handshake/refusals.ts'
import { errorMessage, INTERNAL, isObject, type Params, readableId } from './jsonrpc.ts'
import { LazyAbort } from './lazy-abort.ts'
import type { View } from './views.ts'

/** The newest revision whose sessions do without what this transport lacks: streams that a client comes back to. */
const NEWEST = '2025-06-18'
/** Messages of one client that wait for their answer: each POST is over at once, so nothing else holds it back. */
const MAX_UNANSWERED = 64

export interface SseRequest {
  readonly principal: Principal
  readonly requestId: string
  readonly view: View
}

/**
 * The HTTP+SSE transport of revision 2024-11-05, for clients that know no other:
 *
 * 1. GET opens the stream on which everything is answered; its first event names the address to POST messages to;
 * 2. a POST is answered 202 at once, its message by the handshake era’s own methods, on the stream;
 * 3. with the stream the session ends, and what runs in it; with the gateway the stream.
 *
 * The stream is tied to the process that opened it, as the transport has it: where several nodes share a store, a proxy must
 * bring a client’s POSTs to the node of its stream.
 */
export class SseTransport {
  readonly #handshake: Handshake
  readonly #channels = new Map<string, Channel>()

  constructor(handshake: Handshake) {
    this.#handshake = handshake
  }

  /** `address` is where messages are to be posted, without a query. */
  open({ principal }: Pick<SseRequest, 'principal'>, address: string, openStream: OpenStream): void {
    const id = randomUUID()
    const channel = new Channel(this.#handshake, principal, this.#handshake.listeningStream(principal, openStream))
    this.#channels.set(id, channel)
    channel.stream.onClose(() => this.#channels.delete(id))
    channel.stream.event('endpoint', `${address}?sessionId=${id}`)
  }

  /** The gateway stops: what runs still ends, but nobody would be told. */
  close(): void {
    for (const { stream } of this.#channels.values()) stream.end()
  }

  /** Throws UNAVAILABLE for a client that does not wait for its answers. */
  post(id: string, body: unknown, request: SseRequest): Answer {
    const channel = this.#channels.get(id)
    // For another caller it does not exist.
    if (channel?.isOf(request.principal) !== true) return sessionNotFound(readableId(body))
    channel.hear(body, request)
    return { status: 202 }
  }
}

/** One client: its stream, and the session that was agreed on over it. */
class Channel {
  readonly stream: EventStream
  readonly #handshake: Handshake
  readonly #principal: Principal
  readonly #running = new Set<LazyAbort>()
  #sessionId: string | undefined
  #closed = false

  constructor(handshake: Handshake, principal: Principal, stream: EventStream) {
    this.#handshake = handshake
    this.#principal = principal
    this.stream = stream
    stream.onClose(() => this.#close())
  }

  isOf({ tenantId, id }: Principal): boolean {
    return tenantId === this.#principal.tenantId && id === this.#principal.id
  }

  hear(body: unknown, request: SseRequest): void {
    if (this.#running.size >= MAX_UNANSWERED) {
      throw Overloaded({
        message: `${MAX_UNANSWERED} messages of this client wait for their answers; read them first.`,
        retryAfterSeconds: 1,
      })
    }
    const abort = new LazyAbort()
    this.#running.add(abort)
    void this.#answer(body, request, abort).finally(() => this.#running.delete(abort))
  }

  async #answer(body: unknown, request: SseRequest, abort: LazyAbort): Promise<void> {
    try {
      const answer = await this.#handshake.post({
        ...request,
        body: asInitialize(body),
        abort,
        sessionId: this.#sessionId,
        version: undefined,
        openStream: () => new Words(this.stream),
      })
      if (answer?.sessionId !== undefined) await this.#begin(answer.sessionId)
      if (answer?.body !== undefined) this.#say(answer.body)
    } catch (error) {
      this.#say(errorMessage(readableId(body) ?? null, { code: INTERNAL, message: (error as Error).message, data: undefined }))
    }
  }

  /** From now on what belongs to no call is told as well. */
  async #begin(sessionId: string): Promise<void> {
    this.#sessionId = sessionId
    if (this.#closed) return this.#end(sessionId)
    const stream = new Words(this.stream)
    await this.#handshake.get({
      principal: this.#principal,
      sessionId,
      version: undefined,
      lastEventId: undefined,
      openStream: () => stream,
    })
  }

  /** Who does not read is hung up on, as on every stream. */
  #say(message: string | Buffer): void {
    if (this.stream.full) this.stream.end()
    else this.stream.send(message)
  }

  #close(): void {
    this.#closed = true
    for (const abort of this.#running) abort.connectionLost()
    if (this.#sessionId !== undefined) void this.#end(this.#sessionId)
  }

  async #end(sessionId: string): Promise<void> {
    // A store that is gone keeps the session until it is idle for too long.
    await Promise.resolve(this.#handshake.delete({ principal: this.#principal, sessionId, version: undefined })).catch(() => {})
  }
}

/** A stream of its own for a call, in the one stream there is: it ends without ending that. */
class Words implements EventStream {
  readonly #stream: EventStream
  readonly #listeners: (() => void)[] = []
  #over = false

  constructor(stream: EventStream) {
    this.#stream = stream
    stream.onClose(() => this.end())
  }

  get full(): boolean {
    return this.#stream.full
  }

  send(message: string | Buffer): void {
    if (!this.#over) this.#stream.send(message)
  }

  event(name: string, data: string): void {
    if (!this.#over) this.#stream.event(name, data)
  }

  /** Nobody comes back to it. */
  prime(): void {}

  /** The stream that carries it is kept alive. */
  keepAlive(): void {}

  end(): void {
    if (this.#over) return
    this.#over = true
    for (const listener of this.#listeners) listener()
  }

  onClose(listener: () => void): void {
    if (this.#over) listener()
    else this.#listeners.push(listener)
  }
}

/** `initialize` as a client of this transport would ask it; all else as it came. */
function asInitialize(body: unknown): unknown {
  if (!isObject(body) || body.method !== 'initialize' || !isObject(body.params)) return body
  const { protocolVersion } = body.params as Params
  if (typeof protocolVersion !== 'string' || protocolVersion <= NEWEST) return body
  return { ...body, params: { ...body.params, protocolVersion: NEWEST } }
}
