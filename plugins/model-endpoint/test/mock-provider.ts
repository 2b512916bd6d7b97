import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly body: any
  readonly text: string
}
export type Behaviour = (response: ServerResponse, request: Received) => void

/** A model provider on the loopback that behaves as the test says. */
export async function mockProvider(behave: Behaviour) {
  const received: Received[] = []
  const state = { behave, closed: 0 }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8')
      const one = { url: request.url ?? '', headers: request.headers, body: JSON.parse(text), text }
      received.push(one)
      response.on('close', () => void (state.closed += response.writableFinished ? 0 : 1))
      state.behave(response, one)
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
export type MockProvider = Awaited<ReturnType<typeof mockProvider>>

export const event = (data: object | string, name?: string): string =>
  `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

/** A stream in pieces; the last one ends it unless `open`. */
export const streams =
  (pieces: readonly string[], { open = false } = {}): Behaviour =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces) response.write(piece)
    if (!open) response.end()
  }
export const answersJson =
  (body: object, status = 200): Behaviour =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const chunk = (delta: object, finish: string | null = null) => event({ choices: [{ index: 0, delta, finish_reason: finish }] })
const USAGE = { prompt_tokens: 1_000, completion_tokens: 100 }

/** Chat completions that say something and ask for a tool if `call` is given. */
export const chatStream = (words: readonly string[], call?: { name: string; arguments: string }): readonly string[] => [
  ...words.map((content) => chunk({ content })),
  ...(call ? [chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }] })] : []),
  chunk({}, call ? 'tool_calls' : 'stop'),
  event({ choices: [], usage: USAGE }),
  event('[DONE]'),
]

/** Messages that say something and ask for a tool if `call` is given. A vendor streams the input of a tool without arguments as an empty text. */
export function messagesStream(words: readonly string[], call?: { name: string; input: object | '' }): readonly string[] {
  const typed = (type: string, more: object) => event({ type, ...more }, type)
  return [
    typed('message_start', { message: { id: 'msg_up', content: [], usage: { input_tokens: 1_000, output_tokens: 1 } } }),
    typed('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...words.map((text) => typed('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
    typed('content_block_stop', { index: 0 }),
    ...(call
      ? [
          typed('content_block_start', { index: 1, content_block: { type: 'tool_use', id: 'toolu_1', name: call.name, input: {} } }),
          typed('content_block_delta', {
            index: 1,
            delta: { type: 'input_json_delta', partial_json: call.input && JSON.stringify(call.input) },
          }),
          typed('content_block_stop', { index: 1 }),
        ]
      : []),
    typed('message_delta', { delta: { stop_reason: call ? 'tool_use' : 'end_turn' }, usage: { output_tokens: 100 } }),
    typed('message_stop', {}),
  ]
}
