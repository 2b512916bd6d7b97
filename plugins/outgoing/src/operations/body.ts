/** Unread data that is buffered before the sender has to wait. */
const READ_AHEAD_BYTES = 65_536

export interface Source {
  pause(): void
  resume(): void
  /** The reader stopped. */
  cancel(): void
}

export class Body {
  readonly #source: Source
  #parts: Buffer[] = []
  #bytes = 0
  #whole = false
  #over: { readonly error?: unknown } | undefined
  #wake: (() => void) | undefined

  constructor(source: Source) {
    this.#source = source
  }

  push(part: Buffer): void {
    this.#parts.push(part)
    this.#bytes += part.length
    if (!this.#whole && this.#bytes >= READ_AHEAD_BYTES) this.#source.pause()
    if (!this.#whole) this.#wake?.()
  }

  /** Complete, or broken off by an error. */
  end(over: { readonly error?: unknown } = {}): void {
    this.#over ??= over
    this.#wake?.()
  }

  /** Drops the body unread. */
  cancel(): void {
    if (!this.#over) this.#source.cancel()
  }

  /** The whole body. The sender checks its size. */
  async whole(): Promise<Buffer> {
    this.#whole = true
    const more = this.#more()
    this.#source.resume()
    if (!this.#over) await more
    this.#throwIfBroken()
    const [only] = this.#parts
    return only && this.#parts.length === 1 ? only : Buffer.concat(this.#parts)
  }

  async *parts(): AsyncGenerator<Buffer, void, undefined> {
    try {
      for (;;) {
        const parts = this.#parts
        this.#parts = []
        this.#bytes = 0
        yield* parts
        if (this.#parts.length > 0) continue
        if (this.#over) break
        // Called first, because buffered data may arrive at once.
        const more = this.#more()
        this.#source.resume()
        await more
      }
      this.#throwIfBroken()
    } finally {
      this.cancel()
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve))
  }

  #throwIfBroken(): void {
    if (this.#over && 'error' in this.#over) throw this.#over.error
  }
}
