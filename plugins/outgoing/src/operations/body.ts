/** What is kept of an answer that nobody reads yet, before its sender has to wait. */
const READ_AHEAD_BYTES = 65_536

/** The other side of a body: who sends it. */
export interface Source {
  pause(): void
  resume(): void
  /** Nobody reads on. */
  cancel(): void
}

/** The bytes of an answer between the connection they come from and the one who reads them. */
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

  /** Let it go unread. */
  cancel(): void {
    if (!this.#over) this.#source.cancel()
  }

  /** All of it. How much that may be is the sender’s to watch. */
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
        // Waited for first: what is kept on the way may come at once.
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
