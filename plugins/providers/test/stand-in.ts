import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type WireName = 'openai' | 'anthropic'
export const WIRES = ['openai', 'anthropic'] as const

export interface Received {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly body: any
  /** Resolves when its connection is closed, or its answer is over. */
  readonly closed: Promise<void>
}
export type Behaviour = (response: ServerResponse, request: Received) => void | Promise<void>

/** A model provider on this machine: speaks both wires, and handles each request as the test says. */
export async function standIn(behave: Behaviour) {
  const received: Received[] = []
  const state = { behave, underWay: 0, most: 0 }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      state.underWay++
      state.most = Math.max(state.most, state.underWay)
      const closed = new Promise<void>((resolve) => {
        response.on('close', () => {
          state.underWay--
          resolve()
        })
      })
      const body = JSON.parse(Buffer.concat(parts).toString('utf8'))
      const one = { url: request.url ?? '', headers: request.headers, body, closed }
      received.push(one)
      void state.behave(response, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    state,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type StandIn = Awaited<ReturnType<typeof standIn>>

export interface StandInReply {
  readonly words?: readonly string[]
  readonly stop?: 'end' | 'length'
  /** Absent: the provider reports no usage. */
  readonly usage?: { readonly input: number; readonly output: number } | undefined
  readonly bare?: boolean
}

/** The events of a good answer, one per word. */
export function events(
  wire: WireName,
  { words = ['Hello', ' there'], stop = 'end', usage = { input: 11, output: 7 }, bare = false }: StandInReply = {},
) {
  return wire === 'openai' ? openai(words, stop, bare ? undefined : usage) : anthropic(words, stop, bare ? undefined : usage)
}

function openai(words: readonly string[], stop: string, usage: StandInReply['usage']): string[] {
  const choice = (delta: object, finish: string | null) => data({ choices: [{ index: 0, delta, finish_reason: finish }] })
  return [
    choice({ role: 'assistant', content: '' }, null),
    ...words.map((content) => choice({ content }, null)),
    choice({}, stop === 'end' ? 'stop' : 'length'),
    ...(usage ? [data({ choices: [], usage: { prompt_tokens: usage.input, completion_tokens: usage.output } })] : []),
    'data: [DONE]\n\n',
  ]
}

function anthropic(words: readonly string[], stop: string, usage: StandInReply['usage']): string[] {
  const event = (type: string, more: object) => `event: ${type}\n${data({ type, ...more })}`
  return [
    event('message_start', {
      message: { role: 'assistant', content: [], ...(usage && { usage: { input_tokens: usage.input, output_tokens: 1 } }) },
    }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    event('ping', {}),
    ...words.map((text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
    event('content_block_stop', { index: 0 }),
    event('message_delta', {
      delta: { stop_reason: stop === 'end' ? 'end_turn' : 'max_tokens' },
      ...(usage && { usage: { output_tokens: usage.output } }),
    }),
    event('message_stop', {}),
  ]
}

const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`

export const answers =
  (wire: WireName, said?: StandInReply): Behaviour =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(events(wire, said).join(''))
  }

/** Streams all but the end of a good answer, and stops there. */
export function begin(wire: WireName, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(events(wire).slice(0, -3).join(''))
}

export const refuses =
  (status: number, headers: Record<string, string> = {}, body: object = { error: { message: 'no' } }): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }

/** Behaviours in order; the last one stays. */
export function inTurn(...behaviours: readonly Behaviour[]): Behaviour {
  let at = 0
  return (response, request) => behaviours[Math.min(at++, behaviours.length - 1)]?.(response, request)
}
