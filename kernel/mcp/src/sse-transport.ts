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

/** The newest revision whose sessions do without what this transport lacks: streams that a client resumes. */
const NEWEST = '2025-06-18'
/** Messages of one client that wait for their answer: each POST ends at once, so nothing else limits it. */
const MAX_UNANSWERED = 64

export interface SseRequest {
  readonly principal: Principal
  readonly requestId: string
  readonly view: View
  /** Checks the credential of the message again. */
  readonly isAdmitted?: (() => Promise<boolean>) | undefined
}

/**
 * The HTTP+SSE transport of revision 2024-11-05, for clients that know no other:
 *
 * 1. GET opens the stream on which everything is answered; its first event names the address to POST messages to.
 * 2. A POST is answered 202 at once, and its message on the stream, by the methods of the handshake protocol.
 * 3. The session ends with the stream, and its calls end with it; the stream ends with the gateway.
 *
 * The stream belongs to the process that opened it, as the transport requires: if several nodes share a store, a proxy must
 * send a client's POSTs to the node of its stream.
 */
export class SseTransport {
  readonly #handshake: Handshake
  readonly #channels = new Map<string, Channel>()

  constructor(handshake: Handshake) {
    this.#handshake = handshake
  }

  /** `address` is the place to post messages to, without a query. */
  open({ principal }: Pick<SseRequest, 'principal'>, address: string, openStream: OpenStream): void {
    const id = randomUUID()
    const channel = new Channel(this.#handshake, principal, this.#handshake.listeningStream(principal, openStream))
    this.#channels.set(id, channel)
    channel.stream.onClose(() => this.#channels.delete(id))
    channel.stream.event('endpoint', `${address}?sessionId=${id}`)
  }

  /** Called when the gateway stops: running calls still end, but nobody would be notified. */
  close(): void {
    for (const { stream } of this.#channels.values()) stream.end()
  }

  /** Throws UNAVAILABLE for a client that does not wait for its answers. */
  post(id: string, body: unknown, request: SseRequest): Answer {
    const channel = this.#channels.get(id)
    // For another caller it does not exist.
    if (channel?.isOf(request.principal) !== true) return sessionNotFound(readableId(body))
    channel.receive(body, request)
    return { status: 202 }
  }
}

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

  receive(body: unknown, request: SseRequest): void {
    if (this.#running.size >= MAX_UNANSWERED) {
      throw Overloaded({
        message: `${MAX_UNANSWERED} messages of this client wait for their answers; read them first.`,
        retryAfterSeconds: 1,
      })
    }
    const abort = new LazyAbort(request.isAdmitted)
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
        openStream: () => new SharedStream(this.stream),
      })
      if (answer?.sessionId !== undefined) await this.#begin(answer.sessionId)
      if (answer?.body !== undefined) this.#send(answer.body)
    } catch (error) {
      this.#send(errorMessage(readableId(body) ?? null, { code: INTERNAL, message: (error as Error).message, data: undefined }))
    }
  }

  /** Also sends notifications that belong to no call from now on. */
  async #begin(sessionId: string): Promise<void> {
    this.#sessionId = sessionId
    if (this.#closed) return this.#end(sessionId)
    const stream = new SharedStream(this.stream)
    await this.#handshake.get({
      principal: this.#principal,
      sessionId,
      version: undefined,
      lastEventId: undefined,
      openStream: () => stream,
    })
  }

  /** A client that does not read is disconnected, as on every stream. */
  #send(message: string | Buffer): void {
    if (this.stream.full) this.stream.end()
    else this.stream.send(message)
  }

  #close(): void {
    this.#closed = true
    for (const abort of this.#running) abort.connectionLost()
    if (this.#sessionId !== undefined) void this.#end(this.#sessionId)
  }

  async #end(sessionId: string): Promise<void> {
    // If the store is gone, the session stays until it is idle for too long.
    await Promise.resolve(this.#handshake.delete({ principal: this.#principal, sessionId, version: undefined })).catch(() => {})
  }
}

/** A call's own stream within the only stream: ending it does not end that one. */
class SharedStream implements EventStream {
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

  /** This stream is never resumed. */
  prime(): void {}

  /** The underlying stream is kept alive. */
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

/** Turns a message into the `initialize` that a client of this transport would send; other messages are unchanged. */
function asInitialize(body: unknown): unknown {
  if (!isObject(body) || body.method !== 'initialize' || !isObject(body.params)) return body
  const { protocolVersion } = body.params as Params
  if (typeof protocolVersion !== 'string' || protocolVersion <= NEWEST) return body
  return { ...body, params: { ...body.params, protocolVersion: NEWEST } }
}
