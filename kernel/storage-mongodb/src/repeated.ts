/** Work beside the calls that is repeated, and never runs twice at once. A failure is passed on, and the next time comes. */
export class Repeated {
  readonly #work: (isStopped: () => boolean) => Promise<unknown>
  readonly #failed: (error: unknown) => void
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(work: (isStopped: () => boolean) => Promise<unknown>, failed: (error: unknown) => void) {
    this.#work = work
    this.#failed = failed
  }

  /** Runs after the run under way; resolves when it has ended or failed. */
  async run(): Promise<void> {
    while (this.#running) await this.#running
    this.#running = this.#attempt()
    await this.#running
  }

  every(intervalMs: number): void {
    this.#timer ??= setInterval(() => void (this.#running ?? this.run()), intervalMs).unref()
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
  }

  async #attempt(): Promise<void> {
    try {
      if (!this.#isStopped) await this.#work(() => this.#isStopped)
    } catch (error) {
      if (!this.#isStopped) this.#failed(error)
    } finally {
      this.#running = undefined
    }
  }
}
