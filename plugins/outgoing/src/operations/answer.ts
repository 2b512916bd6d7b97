import type { IncomingHttpHeaders } from 'node:http'
import type { OutgoingResponse, ServerSentEvent } from '../api.ts'
import { type Failure, OutgoingFailed } from '../errors.ts'
import { eventsOf, linesOf, TooLong } from '../rules/text.ts'
import type { Head } from './exchange.ts'
import { NotUnpacked, unpacked, unpackerOf } from './unpack.ts'

interface Terms {
  readonly origin: string
  readonly maxBytes: number
  readonly decompress: boolean
}
/** A line or an event: the longest of a model has some hundred kilobytes. */
const MAX_LENGTH = 1_048_576

/** An answer whose body has not been read yet. */
export class Answer implements OutgoingResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly cancel: () => void
  readonly #body: Head['body']
  readonly #terms: Terms

  constructor({ status, headers, body }: Head, terms: Terms) {
    this.status = status
    this.headers = headers
    this.cancel = () => body.cancel()
    this.#body = body
    this.#terms = terms
  }

  async bytes(): Promise<Buffer> {
    if (this.#encoding() === undefined) return this.#body.whole()
    const parts: Buffer[] = []
    for await (const part of this.parts()) parts.push(part)
    return Buffer.concat(parts)
  }

  parts(): AsyncGenerator<Buffer, void, undefined> {
    const encoding = this.#encoding()
    return encoding === undefined ? this.#body.parts() : this.#unpacked(encoding)
  }

  lines({ maxLength = MAX_LENGTH } = {}): AsyncGenerator<string, void, undefined> {
    return this.#bounded(linesOf(this.parts(), maxLength))
  }

  events({ maxLength = MAX_LENGTH } = {}): AsyncGenerator<ServerSentEvent, void, undefined> {
    return this.#bounded(eventsOf(this.parts(), maxLength))
  }

  #encoding(): string | undefined {
    const encoding = this.headers['content-encoding']
    return encoding === undefined || encoding === '' || encoding === 'identity' ? undefined : encoding
  }

  async *#unpacked(encoding: string): AsyncGenerator<Buffer, void, undefined> {
    const open = this.#terms.decompress ? unpackerOf(encoding) : undefined
    if (!open) {
      this.cancel()
      throw this.#failed('encoding')
    }
    let bytes = 0
    try {
      for await (const part of unpacked(this.#body.parts(), open)) {
        bytes += part.length
        if (bytes > this.#terms.maxBytes) throw this.#failed('too_large')
        yield part
      }
    } catch (error) {
      throw error instanceof NotUnpacked ? this.#failed('encoding') : error
    }
  }

  async *#bounded<T>(items: AsyncGenerator<T, void, undefined>): AsyncGenerator<T, void, undefined> {
    try {
      yield* items
    } catch (error) {
      throw error instanceof TooLong ? this.#failed('too_large') : error
    }
  }

  #failed(reason: Failure): Error {
    return OutgoingFailed({ origin: this.#terms.origin, reason, sent: true })
  }
}
