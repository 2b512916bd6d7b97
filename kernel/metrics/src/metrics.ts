import type { GatewayMetrics, MetricReading, MetricRef, MetricSnapshot } from '@gateway/sdk'
import { shared, within } from '@gateway/sdk/bounds'
import { type Instrument, instrument } from './instruments.ts'
import { unread } from './own.ts'

/** Limit per metric; each series costs some hundred bytes, and a line of text per bucket. */
const MAX_SERIES = 2_000
/** Maximum age of gauges read from the store, so that several scrapers cost no more than one. */
const FRESH_MS = 10_000
const MAX_READING_MS = 2_000

export interface MetricsParts {
  readonly refs: readonly MetricRef[]
  /** True if labels called `tenant` are shown. */
  readonly tenantLabel: boolean
  readonly now: () => number
  readonly warn: (message: string, fields: object) => void
}

/**
 * The metrics of one gateway:
 *
 * 1. Every metric that a plugin lists exists from the start; those of the kernel's parts exist once requested.
 * 2. A measurement only adds to typed arrays.
 * 3. Gauges kept elsewhere are read on demand: those of the kernel at once, those of families from the store at most every ten
 *    seconds and within a time limit.
 * 4. A snapshot is a copy of the numbers.
 */
export class Metrics implements GatewayMetrics {
  readonly since: Date
  /** Readings of families; set once they are wired. */
  readings: () => readonly MetricReading[] = () => []
  readonly #parts: MetricsParts
  readonly #instruments = new Map<string, Instrument>()
  readonly #looks: (() => void | Promise<void>)[] = []
  readonly #read = shared(() => this.#readAll())
  #readAt = Number.NEGATIVE_INFINITY

  constructor(parts: MetricsParts) {
    this.#parts = parts
    this.since = new Date(parts.now())
    for (const ref of [...parts.refs, unread]) this.of(ref)
  }

  of<T>({ metric }: MetricRef<T>): T {
    let made = this.#instruments.get(metric.name)
    if (made === undefined) {
      made = instrument(metric, { maxSeries: MAX_SERIES, leaveOut: new Set(this.#parts.tenantLabel ? [] : ['tenant']) })
      this.#instruments.set(metric.name, made)
    }
    return made as T
  }

  /** Called before each snapshot, for values that a part of the kernel knows at once. */
  onLook(look: () => void | Promise<void>): void {
    this.#looks.push(look)
  }

  /** Services by the id under which a plugin's refs find them. */
  services(): (readonly [string, unknown])[] {
    return this.#parts.refs.map((ref) => [ref.id, this.of(ref)] as const)
  }

  async snapshot(): Promise<readonly MetricSnapshot[]> {
    await this.#read()
    return [...this.#instruments.values()].map((one) => one.snapshot())
  }

  async #readAll(): Promise<void> {
    for (const look of this.#looks) await this.#guarded('gateway', look)
    const now = this.#parts.now()
    if (Math.abs(now - this.#readAt) < FRESH_MS) return
    this.#readAt = now
    await Promise.all(this.#collected().map((reading) => this.#guarded(reading.name, () => reading.read())))
  }

  #collected(): readonly MetricReading[] {
    try {
      return this.readings()
    } catch (error) {
      this.#parts.warn('metrics could not be read', { err: error })
      return []
    }
  }

  async #guarded(name: string, read: () => void | Promise<void>): Promise<void> {
    try {
      const done = within(
        Promise.resolve(read()).then(() => true),
        MAX_READING_MS,
        false,
      )
      if (await done) return
      this.#parts.warn('metrics were not read in time', { reading: name, limitMs: MAX_READING_MS })
    } catch (error) {
      this.#parts.warn('metrics could not be read', { reading: name, err: error })
    }
    this.of(unread).add(1, name)
  }
}
