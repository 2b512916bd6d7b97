import type { EventStream, OpenStream } from './event-stream.ts'
import { isObject, type Params } from './jsonrpc.ts'

export function progressToken(params: Params): string | number | undefined {
  const meta = params._meta
  const token = isObject(meta) ? meta.progressToken : undefined
  return typeof token === 'string' || Number.isSafeInteger(token) ? (token as string | number) : undefined
}

/**
 * Turns a call’s progress into notifications. The stream opens with the first one: a call that reports nothing is
 * answered as plain JSON. Reports that do not move on are dropped, and so are those a slow client has no room for.
 */
export class ProgressStream {
  readonly #token: string | number
  readonly #open: OpenStream
  #stream: EventStream | undefined
  #last = Number.NEGATIVE_INFINITY
  #finished = false

  constructor(token: string | number, open: OpenStream) {
    this.#token = token
    this.#open = open
  }

  readonly report = (progress: number, total?: number, message?: string): void => {
    if (this.#finished || !(progress > this.#last) || !Number.isFinite(progress)) return
    this.#last = progress
    const params = { progressToken: this.#token, progress, total, message }
    this.#stream ??= this.#open()
    if (!this.#stream.full) this.#stream.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }))
  }

  /** Sends the answer at the end of the stream. False when no stream was opened and the answer is still to be sent. */
  finish(answer: string | Buffer | undefined): boolean {
    this.#finished = true
    if (this.#stream === undefined) return false
    if (answer !== undefined) this.#stream.send(answer)
    this.#stream.end()
    return true
  }
}
