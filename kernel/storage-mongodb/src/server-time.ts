import type { Clock } from '@gateway/kernel'
import type { Db, Document } from 'mongodb'

const CLOCK_DIFFERENCE_TRUSTED_MS = 30_000
/** A start asks again after an answer that took longer, because the server may have read its clock at any moment of it. */
const SLOW_MS = 500
const MAX_AT_START = 3

/**
 * The server's clock, as this process knows it: measured at intervals, and continued by a monotonic clock, so that a step of
 * the node's own clock has no effect. It is accurate to the fastest round trips; times that decide who holds something are compared and
 * written by the server with `$$NOW`.
 */
export class ServerTime {
  readonly #db: Db
  readonly #monotonic: () => number
  /** The server's time when the monotonic clock was zero. */
  #origin: number
  /** Duration of the fastest measurement. */
  #roundTrip = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(db: Db, clock: Clock, monotonic: () => number = () => performance.now()) {
    this.#db = db
    this.#monotonic = monotonic
    this.#origin = clock.now() - monotonic()
  }

  async start(): Promise<void> {
    for (let n = 0; n < MAX_AT_START && this.#roundTrip > SLOW_MS; n++) await this.#measure()
    this.#timer = setInterval(() => void this.#measure().catch(() => {}), CLOCK_DIFFERENCE_TRUSTED_MS).unref()
  }

  now(): number {
    return Math.round(this.#origin + this.#monotonic())
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #measure(): Promise<void> {
    const asked = this.#monotonic()
    const { localTime } = (await this.#db.command({ hello: 1 })) as { localTime?: Date }
    const answered = this.#monotonic()
    if (!localTime) return
    const [earliest, latest] = [localTime.getTime() - answered, localTime.getTime() - asked]
    if (answered - asked <= this.#roundTrip) {
      this.#roundTrip = answered - asked
      this.#origin = (earliest + latest) / 2
    }
    // A slower answer corrects what it contradicts, and no more.
    else this.#origin = Math.min(Math.max(this.#origin, earliest), latest)
  }
}

/** The server's time plus an offset, as the contract's text form of times; an aggregation expression. */
export function nowText(offsetMs: number): Document {
  const time = offsetMs === 0 ? '$$NOW' : { $add: ['$$NOW', offsetMs] }
  return { $dateToString: { date: time, format: '%Y-%m-%dT%H:%M:%S.%LZ' } }
}
