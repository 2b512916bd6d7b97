import type { Writable } from 'node:stream'
import { within } from '@gateway/sdk/bounds'

/** Unread bytes of a slow reader at which fetching for it stops. */
const MAX_UNREAD_BYTES = 1_048_576

/** Writes lines to a reader that may be slow, or leave. */
export class LineWriter {
  /** Settles when the reader has left; after that, lines are dropped. */
  readonly left: Promise<void>
  readonly #stream: Writable
  #open = true
  #drained: Promise<void> | undefined

  constructor(stream: Writable) {
    this.#stream = stream
    this.left = new Promise((resolve) => {
      const leave = (): void => {
        this.#open = false
        resolve()
      }
      stream.once('error', leave)
      stream.once('close', leave)
    })
  }

  /** Returns undefined, or a promise of room for the next line: a caller that writes much waits for it. */
  write(line: string): Promise<void> | undefined {
    if (!this.#open) return undefined
    this.#stream.write(`${line}\n`)
    return this.room()
  }

  room(): Promise<void> | undefined {
    if (!this.#open || this.#stream.writableLength <= MAX_UNREAD_BYTES) return undefined
    this.#drained ??= this.#untilDrained()
    return this.#drained
  }

  /** Resolves when everything is read, the reader has left, or the limit has passed. */
  async flush(limitMs: number): Promise<void> {
    if (!this.#open || this.#stream.writableLength === 0) return
    const written = new Promise<void>((resolve) => void this.#stream.write('', () => resolve()))
    await within(Promise.race([written, this.left]), limitMs, undefined)
  }

  #untilDrained(): Promise<void> {
    const drained = new Promise<void>((resolve) => void this.#stream.once('drain', resolve))
    return Promise.race([drained, this.left]).finally(() => (this.#drained = undefined))
  }
}
