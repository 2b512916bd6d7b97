import type { Counter, Gauge, Histogram, MetricSeries, MetricSnapshot, MetricSpec } from '@gateway/sdk'
import { SeriesTable } from './series.ts'

/** Storage of a metric: numbers in a typed array that grows with the series; a measurement allocates nothing. */
export interface Instrument {
  snapshot(): MetricSnapshot
}

export interface Bounds {
  readonly maxSeries: number
  /** Labels that are hidden. */
  readonly leaveOut: ReadonlySet<string>
}

abstract class Cells implements Instrument {
  protected readonly table: SeriesTable
  protected readonly spec: MetricSpec
  readonly #width: number
  protected cells: Float64Array

  constructor(spec: MetricSpec, { maxSeries, leaveOut }: Bounds, width: number) {
    this.spec = { ...spec, labels: spec.labels.filter((label) => !leaveOut.has(label)) }
    this.table = new SeriesTable(spec.labels, { max: spec.labels.length === 0 ? 1 : maxSeries, leaveOut })
    this.#width = width
    this.cells = new Float64Array(width)
  }

  protected at(labels: readonly string[]): number {
    const series = this.table.of(labels)
    const begin = series * this.#width
    if (begin >= this.cells.length) {
      const grown = new Float64Array(this.cells.length * 2)
      grown.set(this.cells)
      this.cells = grown
    }
    return begin
  }

  protected abstract read(begin: number): Omit<MetricSeries, 'labels'>

  snapshot(): MetricSnapshot {
    const series = Array.from({ length: this.table.size }, (_none, at) => ({
      labels: this.table.labels(at),
      ...this.read(at * this.#width),
    }))
    return { ...this.spec, series }
  }
}

class Sum extends Cells implements Counter {
  constructor(spec: MetricSpec, bounds: Bounds) {
    super(spec, bounds, 1)
    // A counter that never counted is zero, not missing.
    if (spec.labels.length === 0) this.at([])
  }

  add(by: number, ...labels: readonly string[]): void {
    if (!(by >= 0)) return
    const at = this.at(labels)
    this.cells[at] = (this.cells[at] as number) + by
  }

  protected read(begin: number) {
    return { value: this.cells[begin] as number }
  }
}

class Last extends Cells implements Gauge {
  constructor(spec: MetricSpec, bounds: Bounds) {
    super(spec, bounds, 1)
  }

  set(value: number, ...labels: readonly string[]): void {
    const at = this.at(labels)
    this.cells[at] = value
  }

  clear(): void {
    this.table.clear()
    this.cells.fill(0)
  }

  protected read(begin: number) {
    return { value: this.cells[begin] as number }
  }
}

/** Each series has a cell per bucket, one above all bounds, and the sum. */
class Spread extends Cells implements Histogram {
  readonly #buckets: Float64Array

  constructor(spec: MetricSpec, bounds: Bounds) {
    super(spec, bounds, spec.buckets.length + 2)
    this.#buckets = Float64Array.from(spec.buckets)
  }

  observe(value: number, ...labels: readonly string[]): void {
    if (Number.isNaN(value)) return
    const buckets = this.#buckets
    const begin = this.at(labels)
    let bucket = 0
    while (bucket < buckets.length && value > (buckets[bucket] as number)) bucket++
    const { cells } = this
    cells[begin + bucket] = (cells[begin + bucket] as number) + 1
    const sum = begin + buckets.length + 1
    cells[sum] = (cells[sum] as number) + value
  }

  protected read(begin: number) {
    const sum = begin + this.#buckets.length + 1
    return { value: this.cells[sum] as number, counts: [...this.cells.subarray(begin, sum)] }
  }
}

/** No-op instruments: synthetic tenants are not measured. */
export const silent: Counter & Gauge & Histogram = { add() {}, set() {}, clear() {}, observe() {} }

const KINDS = { counter: Sum, gauge: Last, histogram: Spread } as const

export const instrument = (spec: MetricSpec, bounds: Bounds): Instrument => new KINDS[spec.kind](spec, bounds)
