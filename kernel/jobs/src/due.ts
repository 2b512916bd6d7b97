import { type Collection, type Filter, now } from '@gateway/sdk'
import type { JobRecord } from './job-record.ts'

/** The job ran this far in the future: the clock was set back, and the time of its next run is as far off. */
const SET_BACK_SECONDS = 60

/** May be locked now, by the store's clock: its time has come, or its lock was not renewed for its lifetime. */
export function isDue(lifetimeMs: number): Filter<JobRecord> {
  return {
    disabled: { ne: true },
    or: [
      { lockedAt: null, nextRunAt: { exists: true, lte: now() } },
      { lockedAt: null, nextRunAt: { exists: true }, lastRunAt: { exists: true, gt: now(SET_BACK_SECONDS) } },
      { lockedAt: { exists: true, lte: { $now: -lifetimeMs } } },
    ],
  }
}

/**
 * Finds by name whether there is anything to lock. agenda asks for each of its jobs at every poll; the questions of one turn of
 * the event loop become one indexed query, and only due jobs are then locked by a write.
 */
export class DueLook {
  readonly #records: Collection<JobRecord>
  #names: string[] = []
  #lifetimeMs = Number.POSITIVE_INFINITY
  #answer: Promise<ReadonlySet<string>> | undefined

  constructor(records: Collection<JobRecord>) {
    this.#records = records
  }

  async has(name: string, lifetimeMs: number): Promise<boolean> {
    this.#names.push(name)
    // The shortest lifetime covers all; the lock itself uses its own.
    this.#lifetimeMs = Math.min(this.#lifetimeMs, lifetimeMs)
    this.#answer ??= Promise.resolve().then(() => this.#look())
    return (await this.#answer).has(name)
  }

  async #look(): Promise<ReadonlySet<string>> {
    const where: Filter<JobRecord> = { name: { in: this.#names }, ...isDue(this.#lifetimeMs) }
    this.#names = []
    this.#lifetimeMs = Number.POSITIVE_INFINITY
    this.#answer = undefined
    return new Set(await this.#records.distinct('name', where))
  }
}
