import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough, type Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { Bridge } from '../src/bridge.ts'
import { Endpoint } from '../src/endpoint.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
export type Message = any

export interface BridgeClient {
  readonly complaints: readonly string[]
  /** Messages that were received and not yet taken. */
  readonly unread: readonly Message[]
  send(...messages: readonly (object | string)[]): void
  /** Takes the first matching message, once it has arrived. */
  take(fits: (message: Message) => boolean): Promise<Message>
  answer(id: unknown): Promise<Message>
  /** Closes the bridge’s input; resolves when it has ended. */
  end(): Promise<void>
}

export function openBridge(
  t: TestContext,
  url: string,
  { patienceMs = 30_000, output }: { patienceMs?: number; output?: Writable } = {},
): BridgeClient {
  const input = new PassThrough()
  const read = new PassThrough()
  const complaints: string[] = []
  const unread: Message[] = []
  const takers = new Set<() => void>()
  let rest = ''
  read.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    unread.push(...lines.map((line) => JSON.parse(line)))
    for (const wake of takers) wake()
    takers.clear()
  })
  const endpoint = new Endpoint(url, {}, patienceMs)
  const bridge = new Bridge({ input, output: output ?? read, endpoint, complain: (sentence) => void complaints.push(sentence) })
  const ended = bridge.run(new Promise(() => undefined))
  const client: BridgeClient = {
    complaints,
    unread,
    send(...messages) {
      for (const message of messages) input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
    },
    async take(fits) {
      for (;;) {
        const index = unread.findIndex(fits)
        if (index >= 0) return unread.splice(index, 1)[0]
        await new Promise<void>((resolve) => void takers.add(resolve))
      }
    },
    answer: (id) => client.take((message) => message.id === id && !('method' in message)),
    async end() {
      input.end()
      await ended
    },
  }
  t.after(() => client.end())
  return client
}

export interface Received {
  readonly method: string
  readonly headers: IncomingMessage['headers']
  readonly message: Message
  readonly response: ServerResponse
}

export interface Script {
  readonly url: string
  readonly received: readonly Received[]
  /** Answers further requests; the test answers those it ignores. */
  reply: (received: Received) => void
  /** Resolves to the first matching request, once it has arrived. */
  asked(fits: (received: Received) => boolean): Promise<Received>
  server: Server
}

export async function scriptedService(t: TestContext, reply: (received: Received) => void): Promise<Script> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const script: Script = {
    url: '',
    received,
    reply,
    async asked(fits) {
      for (;;) {
        const found = received.find(fits)
        if (found) return found
        await new Promise<void>((resolve) => waiting.add(resolve))
      }
    },
    server: createServer((request, response) => void receive(request, response)),
  }
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const one = { method: request.method ?? '', headers: request.headers, message: body === '' ? undefined : JSON.parse(body), response }
    received.push(one)
    script.reply(one)
    for (const wake of waiting) wake()
    waiting.clear()
  }
  script.server.listen(0, '127.0.0.1')
  await once(script.server, 'listening')
  t.after(() => script.server.closeAllConnections())
  t.after(() => script.server.close())
  return Object.assign(script, { url: `http://127.0.0.1:${(script.server.address() as AddressInfo).port}/mcp` })
}

export function json(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body === undefined ? undefined : JSON.stringify(body))
}

export function stream(response: ServerResponse, ...events: readonly string[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  for (const event of events) response.write(event)
}

export const event = (message: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`

export const request = (id: unknown, method: string, params?: object): object => ({ jsonrpc: '2.0', id, method, params })
export const result = (id: unknown, value: object = {}): object => ({ jsonrpc: '2.0', id, result: value })
export const notice = (method: string, params?: object): object => ({ jsonrpc: '2.0', method, params })

export const initialize = (id: unknown = 0): object =>
  request(id, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } })

export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
export const stateless = (id: unknown, method: string, params: object = {}): object => request(id, method, { _meta: META, ...params })

/**
 * Simulates a service with sessions: `s1` for the first `initialize`, and so on. GET is refused unless `reply` does otherwise.
 */
export function sessions({ method, message, response }: Received, script: { opened: number }): boolean {
  if (method === 'POST' && message.method === 'initialize') {
    script.opened++
    const opened = result(message.id, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } })
    json(response, opened, 200, { 'mcp-session-id': `s${script.opened}` })
    return true
  }
  if (method === 'GET') json(response, undefined, 405)
  else if (method === 'DELETE') json(response, undefined, 204)
  else if (message.id === undefined || !('method' in message)) json(response, undefined, 202)
  else return false
  return true
}
