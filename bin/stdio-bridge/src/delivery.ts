import type { IncomingMessage } from 'node:http'
import { errorMessage, type Id, INTERNAL, isObject } from '@gateway/mcp/wire'
import { EventStreamParser, TooLong } from './event-stream-parser.ts'
import type { Exchange } from './exchange.ts'
import type { LineWriter } from './line-writer.ts'

type Message = Readonly<Record<string, unknown>>

export interface Place {
  readonly lastEventId: string
  readonly retryMs: number | undefined
}

/** Limit for data that cannot be an answer, so that it is not collected without end. */
const MAX_ANSWER_BYTES = 67_108_864

/** Delivers the service's messages to the client: each answer once, and to no request but its own. */
export class Delivery {
  readonly #out: Pick<LineWriter, 'write'>
  readonly #url: string

  constructor(out: Pick<LineWriter, 'write'>, url: string) {
    this.#out = out
    this.#url = url
  }

  /**
   * Delivers the contents of an answer over HTTP; `observe` sees each response before the client does. Returns the position at
   * which an event stream ended, also when it was cut off.
   */
  async deliver(answer: IncomingMessage, exchange: Exchange, observe?: (response: Message) => void): Promise<Place | undefined> {
    if (isEventStream(answer)) return await this.#deliverStream(answer, exchange, observe)
    await this.deliverJson(answer, await readText(answer), exchange, observe)
    return undefined
  }

  async deliverJson(
    { statusCode }: Pick<IncomingMessage, 'statusCode'>,
    text: string,
    exchange: Exchange,
    observe?: (response: Message) => void,
  ): Promise<void> {
    const value = parseJson(text)
    if (settles(value, exchange, observe)) await this.#out.write(onOneLine(text))
    const message = `${this.#url} does not answer like a gateway (status ${statusCode}, no answer to the request).`
    this.fail(exchange, errorIn(value) ?? { code: INTERNAL, message })
  }

  /** Sends the same error to every request that has no answer yet. */
  fail(exchange: Exchange, error: { readonly code: number; readonly message: string; readonly data?: unknown }): void {
    for (const id of exchange.unanswered) void this.#out.write(errorMessage(id, { data: undefined, ...error }))
    exchange.unanswered.clear()
  }

  notify(method: string, params: object): void {
    void this.#out.write(JSON.stringify({ jsonrpc: '2.0', method, params }))
  }

  async #deliverStream(answer: IncomingMessage, exchange: Exchange, observe?: (response: Message) => void): Promise<Place> {
    const parser = new EventStreamParser()
    try {
      for await (const piece of answer as AsyncIterable<Buffer>) {
        for (const data of parser.push(piece)) {
          if (settles(parseJson(data), exchange, observe)) await this.#out.write(onOneLine(data))
        }
      }
    } catch (error) {
      // For any other end of a stream, the reader checks which answers are missing and where it can resume.
      if (error instanceof TooLong) throw error
    }
    return { lastEventId: parser.lastEventId, retryMs: parser.retryMs }
  }
}

export const isEventStream = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 200 && headers['content-type']?.startsWith('text/event-stream') === true

export async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) throw new TooLong(`an answer is longer than ${MAX_ANSWER_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Returns the error of a JSON-RPC message; the service sends errors without an id if they occurred before it read the request.
 */
export function errorIn(value: unknown): { readonly code: number; readonly message: string; readonly data?: unknown } | undefined {
  const error = isObject(value) ? value.error : undefined
  return isObject(error) && typeof error.code === 'number' && typeof error.message === 'string' ? (error as never) : undefined
}

/** True if the client is to receive this: messages of the service's own, and answers that are still awaited. */
function settles(value: unknown, exchange: Exchange, observe: ((response: Message) => void) | undefined): boolean {
  let wanted = false
  for (const part of Array.isArray(value) ? value : [value]) {
    if (!isObject(part)) continue
    if ('method' in part) wanted = true
    else if (exchange.unanswered.delete(part.id as Id)) {
      wanted = true
      observe?.(part)
    }
  }
  return wanted
}

/** Line breaks in JSON are white space: strings cannot contain them. */
const onOneLine = (json: string): string => (/[\r\n]/.test(json) ? json.replaceAll(/[\r\n]+/g, ' ') : json)
