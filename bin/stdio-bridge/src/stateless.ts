import type { IncomingMessage } from 'node:http'
import {
  CLIENT_CAPABILITIES,
  HEADER_MISMATCH,
  isObject,
  type Message,
  methods,
  type ParamHeader,
  type Params,
  PROTOCOL_VERSION,
  paramHeaders,
} from '@gateway/mcp/wire'
import { type Delivery, errorIn, parseJson, readText } from './delivery.ts'
import type { Endpoint } from './endpoint.ts'
import { ConnectionLost } from './errors.ts'
import { Exchange } from './exchange.ts'
import { encodedValue, headerValue, paramValues } from './headers.ts'

type Request = Extract<Message, { kind: 'request' }>

const MAX_PAGES = 1_000

/** True if a message names its protocol itself: those of 2026-07-28 and later do. */
export function isStateless(params: Params): boolean {
  return isObject(params._meta) && params._meta[PROTOCOL_VERSION] !== undefined
}

/**
 * Stateless protocol, protocol version 2026-07-28. Over HTTP each request carries headers that repeat parts of its body, so that
 * proxies need not read it; closing the connection cancels it. Standard streams have neither, so both are made here.
 */
export class Stateless {
  readonly #endpoint: Endpoint
  readonly #delivery: Delivery
  readonly #closing = new AbortController()
  /** Arguments by tool; tools without marked arguments are left out. */
  #marked: Promise<ReadonlyMap<string, readonly ParamHeader[]>> | undefined

  constructor(endpoint: Endpoint, delivery: Delivery) {
    this.#endpoint = endpoint
    this.#delivery = delivery
  }

  async ask(exchange: Exchange, request: Request): Promise<void> {
    const answer = await this.#send(exchange, request)
    if (answer) await this.#delivery.deliver(answer, exchange)
    if (exchange.unanswered.size === 0) return
    if (request.method !== 'subscriptions/listen') throw new ConnectionLost()
    // Over standard streams a service ends a subscription this way: the client may have missed something, and knows.
    this.#delivery.notify('notifications/cancelled', { requestId: request.id, reason: 'The connection to the service was lost.' })
  }

  async notify(exchange: Exchange, method: string, params: Params): Promise<void> {
    const answer = await this.#post(exchange, { 'mcp-protocol-version': versionOf(params), 'mcp-method': headerValue(method) })
    answer.resume()
  }

  close(): void {
    this.#closing.abort()
  }

  /** Returns undefined if the answer has been delivered. */
  async #send(exchange: Exchange, { method, params }: Request): Promise<IncomingMessage | undefined> {
    const name = params[methods.get(method)?.name ?? '']
    const headers = {
      'mcp-protocol-version': versionOf(params),
      'mcp-method': headerValue(method),
      'mcp-name': typeof name === 'string' ? encodedValue(name) : undefined,
    }
    if (method !== 'tools/call' || typeof name !== 'string') return await this.#post(exchange, headers)
    const known = await this.#markedArguments(params)
    const answer = await this.#post(exchange, { ...headers, ...paramValues(known.get(name) ?? [], params.arguments) })
    if (answer.statusCode !== 400) return answer
    const text = await readText(answer)
    if (errorIn(parseJson(text))?.code !== HEADER_MISMATCH) {
      await this.#delivery.deliverJson(answer, text, exchange)
      return undefined
    }
    // The tool was changed after it was listed; the service refused the call before it began.
    this.#marked = undefined
    const now = await this.#markedArguments(params)
    return await this.#post(exchange, { ...headers, ...paramValues(now.get(name) ?? [], params.arguments) })
  }

  #post(exchange: Exchange, headers: Readonly<Record<string, string | undefined>>): Promise<IncomingMessage> {
    return this.#endpoint.request({
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...defined(headers) },
      body: exchange.body,
      signal: exchange.signal,
    })
  }

  /** The list of tools is requested once. Without it calls go without these headers, and the service says so. */
  async #markedArguments(params: Params): Promise<ReadonlyMap<string, readonly ParamHeader[]>> {
    this.#marked ??= this.#askForTools(params)
    const asked = this.#marked
    try {
      return await asked
    } catch {
      if (this.#marked === asked) this.#marked = undefined
      return new Map()
    }
  }

  async #askForTools({ _meta }: Params): Promise<ReadonlyMap<string, readonly ParamHeader[]>> {
    const { [PROTOCOL_VERSION]: version, [CLIENT_CAPABILITIES]: capabilities } = _meta as Params
    const meta = { [PROTOCOL_VERSION]: version, [CLIENT_CAPABILITIES]: capabilities }
    const marked = new Map<string, readonly ParamHeader[]>()
    let cursor: unknown
    for (let page = 0; page === 0 || (cursor !== undefined && page < MAX_PAGES); page++) {
      const message = { jsonrpc: '2.0', id: page, method: 'tools/list', params: { _meta: meta, cursor } }
      const exchange = new Exchange(Buffer.from(JSON.stringify(message)), [], this.#closing)
      const answer = await this.#post(exchange, { 'mcp-protocol-version': headerValue(version), 'mcp-method': 'tools/list' })
      const { result } = parseJson(await readText(answer)) as {
        result: { tools: { name: string; inputSchema: object }[]; nextCursor?: unknown }
      }
      for (const { name, inputSchema } of result.tools) {
        const headers = paramHeaders(inputSchema)
        if (headers.length > 0) marked.set(name, headers)
      }
      cursor = result.nextCursor
    }
    return marked
  }
}

const versionOf = ({ _meta }: Params): string | undefined => headerValue((_meta as Params)[PROTOCOL_VERSION])

/** Leaves out values that a header cannot hold: the service reports missing ones. */
const defined = (headers: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined))
