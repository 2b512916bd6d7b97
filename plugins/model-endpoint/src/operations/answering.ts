import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { CallContext, Exchange } from '@gateway/sdk'
import { type ClientWire, wireError } from '../rules/wire-error.ts'
import type { Bodies } from '../services/bodies.ts'
import { type ReadBody, readBody } from './read-body.ts'

const EVENTS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

/** Reads the body of a call and answers it in its wire, errors included. The call fails for the gateway as well when it fails for the client. */
export async function answered(
  wire: ClientWire,
  bodies: Bodies,
  { signal }: CallContext,
  exchange: Exchange,
  answer: (read: ReadBody, answering: Answering) => Promise<void>,
): Promise<void> {
  const answering = new Answering(exchange)
  let held = 0
  try {
    const read = await readBody(exchange.body, exchange.headers['content-length'], bodies, signal)
    held = read.bytes
    await answer(read, answering)
  } catch (error) {
    if (!signal.aborted) await answering.fail(wire, error)
    throw error
  } finally {
    bodies.give(held)
  }
}

export class Answering {
  readonly #exchange: Exchange
  #out: Writable | undefined
  #events = 0
  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  stream(text: string): void {
    this.#out ??= this.#exchange.answer(200, EVENTS)
    // An event ends with the only blank line in it.
    this.#events += text.split('\n\n').length - 1
    this.#out.write(text)
  }

  json(text: string, headers: Readonly<Record<string, string>> = {}): void {
    this.#exchange.answer(200, { ...JSON_TYPE, ...headers }).end(text)
  }

  end(): void {
    this.#out?.end()
  }

  /** Sends an error whole, before the connection may be closed. */
  async fail(wire: ClientWire, error: unknown): Promise<void> {
    const { status, headers, body, event } = wireError(wire, error)
    const out = this.#out ?? this.#exchange.answer(status, { ...headers, connection: 'close' })
    const gone = new AbortController()
    const sent = once(out, 'end', { signal: gone.signal }).catch(() => undefined)
    out.once('close', () => gone.abort())
    out.end(this.#out ? event(this.#events) : JSON.stringify(body))
    await sent
  }
}
