import assert from 'node:assert/strict'
import { type Random, upTo } from '../../crash/powercut/random.ts'
import { ADMIN, STORE_TIMEOUT_MS } from '../nodes.ts'

export interface Reply {
  readonly status: number
  readonly json: Record<string, unknown>
}

/** Milliseconds of the one clock of this process, which makes all calls. */
export const time = (): number => performance.now()

/** Time after which a call has no effect any more whose gateway was killed. */
const LOST_AFTER_MS = 10_000
/** The same for a call whose outcome its gateway did not know: it may go on until the store's time limit. */
const UNKNOWN_AFTER_MS = STORE_TIMEOUT_MS + LOST_AFTER_MS

/** Refusals of a gateway that stops, or that was late because it was paused. */
const BEFORE_WORK = /^The gateway is (stopping|overloaded)/

/** No answer came, the gateway did not know the outcome, or the request was not sent. */
export type Unanswered = 'lost' | 'unknown' | 'unsent'

/** A call in the making: its fields, without its times and its answer. */
type Draft<C> = Omit<C, 'invoked' | 'returned' | 'lost' | 'answer'>

/** Calls gateways, of which each call reaches any. */
export class Caller {
  readonly random: Random
  readonly #addressOf: () => string
  calls = 0
  /** A caller that ended sends no more: its worker fails instead of asking gateways that are gone. */
  hasEnded = false
  unanswered = 0
  /** Number of requests that were refused before any work began. */
  refused = 0

  constructor(random: Random, addressOf: () => string) {
    this.random = random
    this.#addressOf = addressOf
  }

  /**
   * Sends a request and records it in `history`, with the answer that `answerOf` reads. Returns undefined where no answer came or the
   * gateway did not know the outcome. An answer that `answerOf` does not know fails the test.
   */
  async record<C, Answer>(
    history: C[],
    draft: Draft<C>,
    send: () => Promise<Reply | Unanswered>,
    answerOf: (reply: Reply) => Answer | undefined,
  ): Promise<Answer | undefined> {
    const invoked = time()
    const reply = await send()
    if (reply === 'unsent') return undefined
    if (reply === 'lost' || reply === 'unknown') {
      this.unanswered++
      history.push({ ...draft, invoked, lost: time() + (reply === 'lost' ? LOST_AFTER_MS : UNKNOWN_AFTER_MS) } as C)
      return undefined
    }
    const answer = answerOf(reply)
    assert.ok(answer !== undefined, `${JSON.stringify(draft)} was answered ${reply.status} ${JSON.stringify(reply.json)}`)
    history.push({ ...draft, invoked, returned: time(), answer } as C)
    return answer
  }

  tool(name: string, args: object, headers: Readonly<Record<string, string>> = {}): Promise<Reply | Unanswered> {
    return this.#post(`/api/tools/${name}`, args, headers)
  }

  admin(path: string, body: object = {}): Promise<Reply | Unanswered> {
    return this.#post(`/api/tenants${path}`, body, { 'x-admin-token': ADMIN })
  }

  get(path: string): Promise<Reply | Unanswered> {
    return this.#send(path, {})
  }

  /** Sends a request until it is answered; for what has to be there before the history begins. */
  async insist(send: () => Promise<Reply | Unanswered>): Promise<Reply> {
    for (;;) {
      const reply = await send()
      if (typeof reply !== 'string') return reply
    }
  }

  pick<T>(from: readonly T[]): T {
    return from[upTo(this.random, from.length)] as T
  }

  #post(path: string, body: object, headers: Readonly<Record<string, string>>): Promise<Reply | Unanswered> {
    return this.#send(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
  }

  async #send(path: string, init: RequestInit): Promise<Reply | Unanswered> {
    if (this.hasEnded) throw new Error('the calls have ended')
    try {
      const response = await fetch(this.#addressOf() + path, init)
      const json = (await response.json()) as Record<string, unknown>
      if (response.status === 503 && BEFORE_WORK.test(String(json.error))) {
        this.refused++
        await new Promise((resolve) => setTimeout(resolve, 20))
        return 'unsent'
      }
      this.calls++
      return response.status === 503 || response.status === 504 ? 'unknown' : { status: response.status, json }
    } catch (error) {
      // A request without a connection was never sent.
      if (((error as Error).cause as { code?: string } | undefined)?.code === 'ECONNREFUSED') {
        await new Promise((resolve) => setTimeout(resolve, 20))
        return 'unsent'
      }
      this.calls++
      return 'lost'
    }
  }
}

/** A family whose calls are recorded. */
export interface Family {
  /** Creates what the calls need, before anything is disturbed. */
  prepare?(caller: Caller): Promise<void>
  /** Makes one or a few calls for a worker. */
  step(worker: number, caller: Caller): Promise<void>
  /** Answers that no order of the calls explains. */
  faults(): readonly string[]
  /** Numbers of events without which the history would prove nothing. */
  events(): Readonly<Record<string, number>>
}
