import type { Db, Document } from 'mongodb'
import type { Clock } from '../../clock.ts'

/** How long a measured difference of clocks is trusted. */
const TRUSTED_MS = 30_000

/**
 * The server’s clock, as this process knows it: the difference from its own, measured now and then. Good to the time of
 * a round trip; what decides who holds something is compared and written with `$$NOW` by the server itself.
 */
export class ServerTime {
  readonly #db: Db
  readonly #clock: Clock
  #aheadMs = 0
  #timer: NodeJS.Timeout | undefined

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  async start(): Promise<void> {
    await this.#measure()
    this.#timer = setInterval(() => void this.#measure().catch(() => {}), TRUSTED_MS).unref()
  }

  now(): number {
    return this.#clock.now() + this.#aheadMs
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #measure(): Promise<void> {
    const asked = this.#clock.now()
    const { localTime } = (await this.#db.command({ hello: 1 })) as { localTime?: Date }
    const answered = this.#clock.now()
    if (localTime) this.#aheadMs = Math.round(localTime.getTime() - (asked + answered) / 2)
  }
}

/** The server’s time plus an offset, as the text the contract has for times; an aggregation expression. */
export function nowText(offsetMs: number): Document {
  const time = offsetMs === 0 ? '$$NOW' : { $add: ['$$NOW', offsetMs] }
  return { $dateToString: { date: time, format: '%Y-%m-%dT%H:%M:%S.%LZ' } }
}
