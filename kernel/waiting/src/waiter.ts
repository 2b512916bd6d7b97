import type { Wait } from '@gateway/sdk'

// biome-ignore lint/suspicious/noExplicitAny: each wait has its own payload and result
export type AnyWait = Wait<any, any>

export interface WaitingCall {
  readonly tenantId: string
  /** Aborted when the caller cancels or disconnects; undefined if it cannot. */
  readonly stopSignal: AbortSignal | undefined
  abort(why: Error): void
  /** False while the client is away and may come back for the answer. */
  readonly isConnected: boolean
  /** Returns the call's share of the in-flight limit. */
  pause(): void
  /** Takes it again, whatever the limit. */
  resume(): void
  progress(done: number, total: number, message: string): void
  /** The error for a caller that is not admitted any more. */
  refusal(): Promise<Error | undefined>
}

/** `empty`: it found nothing and waits on. `gone`: it ended without an answer. */
export type Outcome = 'answered' | 'empty' | 'gone'

const PROGRESS_INTERVAL_MS = 10_000
const CALL_ENDS_AFTER_AWAY_MS = 5_000

/** A waiting call. Its share of the in-flight limit is held only while it looks and from its answer on. */
export class Waiter {
  readonly call: WaitingCall
  readonly wait: AnyWait
  readonly done: Promise<unknown>
  result: unknown
  /** True while it neither looks nor has ended. */
  isIdle = false
  /** Set if something came while it looked, which it may not have seen. */
  missed = false
  readonly #left: () => void
  readonly #onAbort = (): void => this.end(this.call.stopSignal?.reason as Error)
  #resolve: (result: unknown) => void = () => {}
  #reject: (error: unknown) => void = () => {}
  #hasEnded = false
  #end: { readonly why: Error | undefined } | undefined
  #waitedMs = 0
  #awayMs = 0

  constructor(call: WaitingCall, wait: AnyWait, left: () => void) {
    this.call = call
    this.wait = wait
    this.#left = left
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    call.stopSignal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** The first look of a call, which is admitted and holds its share. */
  async begin(): Promise<Outcome> {
    return await this.#settle(await this.#try())
  }

  /** Looks again. Only for an idle waiter. */
  async look(): Promise<Outcome> {
    this.#wake()
    return await this.#settle((await this.#isRefused()) ? 'gone' : await this.#try())
  }

  /** Answers an idle waiter with what another one found that wants the same. */
  async share(result: unknown): Promise<void> {
    this.#wake()
    if (await this.#isRefused()) return
    this.result = result
    this.#finish(() => this.#resolve(result))
  }

  /** Ends the wait: with the last result, or with an error. A running look is awaited, because it may take something. */
  end(why?: Error): void {
    this.#end ??= { why }
    if (!this.isIdle) return
    this.#wake()
    void this.#stop()
  }

  tick(ms: number): void {
    const before = this.#waitedMs
    this.#waitedMs += ms
    const { seconds } = this.wait
    if (this.#waitedMs >= seconds * 1_000) return this.end()
    this.#awayMs = this.call.isConnected ? 0 : this.#awayMs + ms
    if (this.#awayMs >= CALL_ENDS_AFTER_AWAY_MS) {
      const why = new Error('the client disconnected')
      this.call.abort(why)
      return this.end(why)
    }
    if (Math.floor(before / PROGRESS_INTERVAL_MS) === Math.floor(this.#waitedMs / PROGRESS_INTERVAL_MS)) return
    this.call.progress(Math.floor(this.#waitedMs / 1_000), seconds, 'waiting')
  }

  #wake(): void {
    this.isIdle = false
    this.call.resume()
  }

  async #try(): Promise<Outcome> {
    this.missed = false
    try {
      this.result = await this.wait.look()
    } catch (error) {
      this.#finish(() => this.#reject(error))
      return 'gone'
    }
    if (!this.wait.isAnswer(this.result)) return 'empty'
    this.#finish(() => this.#resolve(this.result))
    return 'answered'
  }

  async #settle(outcome: Outcome): Promise<Outcome> {
    let last = outcome
    while (last === 'empty' && this.missed && this.#end === undefined) last = await this.#try()
    if (last !== 'empty') return last
    if (this.#end !== undefined) {
      await this.#stop()
      return 'gone'
    }
    this.isIdle = true
    this.call.pause()
    return 'empty'
  }

  async #stop(): Promise<void> {
    const why = this.#end?.why
    if (why !== undefined) return this.#finish(() => this.#reject(why))
    if (!(await this.#isRefused())) this.#finish(() => this.#resolve(this.result))
  }

  async #isRefused(): Promise<boolean> {
    const refusal = await this.call.refusal().catch((error: unknown) => error)
    if (refusal !== undefined) this.#finish(() => this.#reject(refusal))
    return refusal !== undefined
  }

  #finish(answer: () => void): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.call.stopSignal?.removeEventListener('abort', this.#onAbort)
    this.#left()
    answer()
  }
}
