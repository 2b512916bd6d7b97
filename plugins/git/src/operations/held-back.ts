import { Transform, type TransformCallback } from 'node:stream'

/** Passes git's output through until told to hold it back: all later output is sent when git has ended and `settle` is done. */
export class HeldBack extends Transform {
  readonly #settle: () => Promise<void>
  readonly #held: Buffer[] = []
  #holds = false
  #begun = false

  constructor(settle: () => Promise<void>) {
    super()
    this.#settle = settle
  }

  hold(): void {
    this.#holds = true
  }

  /** Inserts a frame at the beginning. Later it could land in the middle of another one, and is left out. */
  insert(frame: Buffer): void {
    if (!this.#begun && !this.writableEnded) this.push(frame)
    this.#begun = true
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#begun = true
    if (!this.#holds) return done(null, chunk)
    this.#held.push(chunk)
    done()
  }

  override _flush(done: TransformCallback): void {
    if (!this.#holds) return done()
    this.#settle().then(
      () => done(null, Buffer.concat(this.#held)),
      (error: Error) => done(error),
    )
  }
}
