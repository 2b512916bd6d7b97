import type { EventStream } from './event-stream.ts'

/** Below the minute or so after which proxies close a silent connection. */
const EVERY_MS = 15_000

/** Sends keep-alives on every open stream, with one timer for all, which runs only while there are any. */
export class KeepAlive {
  readonly #streams = new Set<EventStream>()
  readonly #everyMs: number
  #timer: NodeJS.Timeout | undefined

  constructor(everyMs = EVERY_MS) {
    this.#everyMs = everyMs
  }

  add(stream: EventStream): void {
    this.#streams.add(stream)
    this.#timer ??= setInterval(() => this.#tick(), this.#everyMs).unref()
    stream.onClose(() => this.#remove(stream))
  }

  /** A client that does not read its pending data receives nothing more. */
  #tick(): void {
    for (const stream of this.#streams) if (!stream.full) stream.keepAlive()
  }

  #remove(stream: EventStream): void {
    this.#streams.delete(stream)
    if (this.#streams.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
