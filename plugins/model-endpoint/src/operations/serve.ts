import { type Completion, type ModelRequest, models } from '@gateway/plugin-providers/api'
import { type CallContext, defined, type Exchange, type Resolved } from '@gateway/sdk'
import { type Renderer, sse } from '../rules/renderer.ts'
import type { ClientWire } from '../rules/wire-error.ts'
import { checkStream, isEnd, limitOf, rendererFor } from '../rules/wires.ts'
import type { NamedWork } from '../schema.ts'
import { bodies } from '../services/bodies.ts'
import { type Answering, answered } from './answering.ts'
import { askedOf, CHANNEL } from './asked.ts'
import type { ReadBody } from './read-body.ts'
import { RelayCall } from './relay-call.ts'

export const serveUses = { models, bodies }
type Refs = Resolved<typeof serveUses>

export const serve = (wire: ClientWire, work: NamedWork, refs: Refs, ctx: CallContext, exchange: Exchange): Promise<void> =>
  answered(wire, refs.bodies, ctx, exchange, (read, answering) => answer({ wire, work, read }, refs, ctx, exchange, answering))

interface Call {
  readonly wire: ClientWire
  readonly work: NamedWork
  readonly read: ReadBody
}

async function answer({ wire, work, read }: Call, refs: Refs, ctx: CallContext, exchange: Exchange, answering: Answering): Promise<void> {
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
  const asked = { ...askedOf(body, work, exchange, refs.models), ...defined({ maxTokens: limitOf(wire, body) }) }
  const request: ModelRequest = { ...asked, messages: [], channel: CHANNEL, relay, onDelta }
  const completion = await refs.models.complete(wire === 'embeddings' ? { ...request, maxTokens: 0 } : request)
  if (end !== undefined) answering.stream(end)
  if (streams) finish(answering, relay, render, completion)
  else answering.json(relay.whole ?? JSON.stringify(render().whole(completion)))
}

function finish(answering: Answering, relay: RelayCall, render: () => Renderer, completion: Completion): void {
  if (!relay.delivered) {
    answering.stream(render().begin())
    if (completion.text !== '') answering.stream(render().delta(completion.text))
  }
  if (!relay.delivered || !relay.same) answering.stream(render().end(completion))
  answering.end()
}
