import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { type Completion, type ModelRequest, models, TIERS, type Tier } from '@gateway/plugin-providers/api'
import { type CallContext, defined, type Exchange, type Resolved } from '@gateway/sdk'
import { ModelNotFound } from '../errors.ts'
import { type Json, refuse } from '../rules/json.ts'
import { type Renderer, sse } from '../rules/renderer.ts'
import { type ClientWire, wireError } from '../rules/wire-error.ts'
import { checkStream, isEnd, limitOf, rendererFor } from '../rules/wires.ts'
import { bodies } from '../services/bodies.ts'
import { type ReadBody, readBody } from './read-body.ts'
import { RelayCall } from './relay-call.ts'

export const serveUses = { models, bodies }
type Refs = Resolved<typeof serveUses>

/** Channel of the budgets that calls of the endpoint are charged to. */
const CHANNEL = 'model-endpoint'
const EVENTS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

/** Serves one call of a client in its wire, errors included. The call fails for the gateway as well when it fails for the client. */
export async function serve(wire: ClientWire, refs: Refs, ctx: CallContext, exchange: Exchange): Promise<void> {
  const answering = new Answering(exchange)
  let held = 0
  try {
    const read = await readBody(exchange.body, exchange.headers['content-length'], refs.bodies, ctx.signal)
    held = read.bytes
    await answer(wire, read, refs, ctx, exchange, answering)
  } catch (error) {
    if (!ctx.signal.aborted) await answering.fail(wire, error)
    throw error
  } finally {
    refs.bodies.give(held)
  }
}

class Answering {
  readonly #exchange: Exchange
  #out: Writable | undefined
  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  stream(text: string): void {
    this.#out ??= this.#exchange.answer(200, EVENTS)
    this.#out.write(text)
  }

  json(text: string): void {
    this.#exchange.answer(200, JSON_TYPE).end(text)
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
    out.end(this.#out ? event : JSON.stringify(body))
    await sent
  }
}

async function answer(
  wire: ClientWire,
  read: ReadBody,
  refs: Refs,
  ctx: CallContext,
  exchange: Exchange,
  answering: Answering,
): Promise<void> {
  const { body } = read
  checkStream(wire, body)
  const streams = body.stream === true
  const created = Math.floor(ctx.now().getTime() / 1_000)
  let renderer: Renderer | undefined
  const render = (): Renderer => {
    renderer ??= rendererFor(wire, { id: ctx.newId('').replace(/^-/, ''), model: relay.model, created }, body)
    return renderer
  }
  // The event that ends a stream is sent when the call is paid for, so that no client has a whole answer that no budget knows.
  let end: string | undefined
  const relay = new RelayCall(wire, read, exchange.headers, (event) => {
    if (!streams) return
    relay.delivered = true
    if (isEnd(wire, event)) end = sse(event.data, event.event)
    else answering.stream(sse(event.data, event.event))
  })
  const onDelta = (text: string): void => {
    if (!streams || relay.same) return
    if (!relay.delivered) answering.stream(render().begin())
    relay.delivered = true
    answering.stream(render().delta(text))
  }
  const work = { agent: named(exchange, 'x-gateway-agent'), taskId: named(exchange, 'x-gateway-task') }
  const asked = { ...pinOf(body, refs), ...defined({ ...work, maxTokens: limitOf(wire, body) }) }
  const request: ModelRequest = { ...asked, messages: [], channel: CHANNEL, relay, onDelta }
  const completion = await refs.models.complete(wire === 'embeddings' ? { ...request, maxTokens: 0 } : request)
  if (end !== undefined) answering.stream(end)
  if (streams) finish(answering, relay, render, completion)
  else answering.json(relay.whole ?? JSON.stringify(render().whole(completion)))
}

const MAX_NAME = 200

function named({ headers }: Exchange, header: string): string | undefined {
  const name = headers[header]
  if (name === undefined) return undefined
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) return refuse(header, `must have 1 to ${MAX_NAME} characters.`)
  return name
}

function finish(answering: Answering, relay: RelayCall, render: () => Renderer, completion: Completion): void {
  if (!relay.delivered) {
    answering.stream(render().begin())
    if (completion.text !== '') answering.stream(render().delta(completion.text))
  }
  if (!relay.delivered || !relay.same) answering.stream(render().end(completion))
  answering.end()
}

function pinOf({ model }: Json, { models }: Refs): { readonly tier: Tier } | { readonly model: string } {
  if (typeof model !== 'string' || model === '' || model.length > 400)
    return refuse('model', 'must name a tier, a model, or provider/model.')
  if ((TIERS as readonly string[]).includes(model)) return { tier: model as Tier }
  if (models.configured && !models.serves(model)) throw ModelNotFound({ model })
  return { model }
}
