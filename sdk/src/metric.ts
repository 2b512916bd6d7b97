import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Collection } from './collection/collection.ts'
import type { Reach } from './collection/reach.ts'
import { defineContribution } from './contribution.ts'
import { DefinitionError, type MembersOf, refuseUnknown } from './members.ts'
import { defineService, type ServiceRef } from './service.ts'

/** Unit of a metric in UCUM notation: `s`, `By`, `1`, or the counted thing in braces, such as `{task}`. */
export type MetricUnit = 's' | 'By' | '1' | 'USD' | `{${string}}`

/** Declaration of a metric. */
export interface MetricSpec {
  /** OpenTelemetry's spelling: `gateway.tasks.claims`. Prometheus shows it as `gateway_tasks_claims_total`. */
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly description: string
  readonly unit: MetricUnit
  /** Label names, in the order in which values are passed. */
  readonly labels: readonly string[]
  /** Upper bounds of a histogram's buckets, ascending. */
  readonly buckets: readonly number[]
}

/** Values of the labels, in their order, each from a small set. Series beyond the limit are counted together. */
export type LabelValues<L extends readonly string[]> = { readonly [K in keyof L]: string }

/** A value that only grows. */
export interface Counter<L extends readonly string[] = readonly string[]> {
  /** `by` must be at least 0; other values are ignored. */
  add(by: number, ...labels: LabelValues<L>): void
}
/** A value that goes up and down. */
export interface Gauge<L extends readonly string[] = readonly string[]> {
  set(value: number, ...labels: LabelValues<L>): void
  /** Removes every series, for a gauge that is set again as a whole. */
  clear(): void
}
/** Counts values between bounds, and their sum. */
export interface Histogram<L extends readonly string[] = readonly string[]> {
  observe(value: number, ...labels: LabelValues<L>): void
}
interface Instruments<L extends readonly string[]> {
  readonly counter: Counter<L>
  readonly gauge: Gauge<L>
  readonly histogram: Histogram<L>
}

/**
 * A metric: list it in `metrics` of its plugin and in the `uses` of its users. It resolves to its instrument, for process
 * services too.
 */
export interface MetricRef<T = unknown> extends ServiceRef<T> {
  readonly metric: MetricSpec
}

/** Seconds: the bounds from the conventions for MCP, and four smaller ones for a gateway that answers faster than their first. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] as const

const NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/
const LABEL = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/
const MAX_LABELS = 5

const METRIC: MembersOf<typeof defineMetric, 1> = { kind: true, description: true, unit: true, labels: true, buckets: true }

/**
 * Declares a metric: a count (`counter`), a level (`gauge`) or a distribution (`histogram`). The name is `gateway.<plugin id,
 * with _ for ->.<what>`, or one from OpenTelemetry's conventions. At most 5 labels, each with few values, never an id. A label
 * called `tenant` is omitted unless the gateway is configured to show it. `/metrics` and the service `gatewayMetrics` report
 * the values.
 */
export function defineMetric<K extends MetricSpec['kind'], const L extends readonly string[] = readonly []>(
  name: string,
  spec: { kind: K; description: string; unit: MetricUnit; labels?: L; buckets?: readonly number[] },
): MetricRef<Instruments<L>[K]> {
  refuseUnknown(`metric ${name}`, spec, METRIC)
  const { kind, description, unit, labels = [], buckets = kind === 'histogram' ? SECONDS : [] } = spec
  const refuse = (why: string): never => {
    throw new DefinitionError(`metric ${name}: ${why}`)
  }
  if (!NAME.test(name)) refuse('the name must read family.what, in lower case')
  if (labels.length > MAX_LABELS) refuse(`at most ${MAX_LABELS} labels; got ${labels.length}`)
  for (const label of labels) if (!LABEL.test(label)) refuse(`the label ${label} must be in lower case, with dots or underscores`)
  if (kind !== 'histogram' && buckets.length > 0) refuse('only a histogram has buckets')
  if (buckets.some((bound, at) => !(bound > (buckets[at - 1] ?? Number.NEGATIVE_INFINITY)))) refuse('buckets must ascend')
  return {
    ...defineService<Instruments<L>[K]>(`gateway.metric ${name}`, 'process'),
    metric: { name, kind, description, unit, labels, buckets },
  }
}

/** Updates gauges before they are read. */
export interface MetricReading {
  /** Name of the reading, for the log and for `gateway.metrics.unread`. */
  readonly name: string
  /**
   * A few indexed counts, within two seconds; called at most once in ten seconds. If it fails or takes too long, the gauges
   * keep their values.
   */
  read(): Promise<void>
}
/**
 * Contributes gauges that are read from the store on demand, as `system`, which reaches every tenant. Created once, so it may
 * cache.
 */
export const metricReading = defineContribution<MetricReading>('gateway.metric-reading')

/**
 * Time that a reading spends on tenants while calls are served in between; the first one is longer, because nothing is cached
 * yet.
 */
const SHARE = { firstMs: 1_500, ms: 200 }

/**
 * Reads a value in each tenant that a `throughout` reaches, one tenant after the other, as many as fit in a fifth of a second.
 * The next call continues there and returns the last known values of the others. Create it where the reading is created,
 * because it caches. Undefined until every tenant has been read once.
 */
export function readThroughout<Doc, T>(
  reach: Reach<Doc>,
  read: (collection: Collection<Doc>) => Promise<T>,
  share: { readonly firstMs: number; readonly ms: number } = SHARE,
): () => Promise<readonly T[] | undefined> {
  /** In the order of reading, oldest first. */
  const found = new Map<string, T>()
  return async () => {
    const tenants = new Map((await reach()).map(({ tenantId, collection }) => [tenantId, collection]))
    for (const tenantId of found.keys()) if (!tenants.has(tenantId)) found.delete(tenantId)
    const until = performance.now() + (found.size === 0 ? share.firstMs : share.ms)
    const unread = [...tenants.keys()].filter((tenantId) => !found.has(tenantId))
    for (const tenantId of [...unread, ...found.keys()]) {
      const value = await read(tenants.get(tenantId) as Collection<Doc>)
      found.delete(tenantId)
      found.set(tenantId, value)
      await yieldToEventLoop()
      if (performance.now() > until) break
    }
    return found.size < tenants.size ? undefined : [...found.values()]
  }
}

/** Like `readThroughout`, for numbers by name: returns their sums. */
export function sumThroughout<Doc>(
  reach: Reach<Doc>,
  read: (collection: Collection<Doc>) => Promise<Readonly<Record<string, number>>>,
): () => Promise<Readonly<Record<string, number>> | undefined> {
  const each = readThroughout(reach, read)
  return async () => {
    const found = await each()
    if (!found) return undefined
    const sums: Record<string, number> = {}
    for (const counts of found) for (const [name, value] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + value
    return sums
  }
}

/** A series with its current value. */
export interface MetricSeries {
  readonly labels: Readonly<Record<string, string>>
  /** Value of a counter or gauge; for a histogram the sum. */
  readonly value: number
  /** For a histogram: the number of values in each bucket, and in the one above all bounds. */
  readonly counts?: readonly number[]
}
/** A metric and all its series. */
export interface MetricSnapshot extends MetricSpec {
  readonly series: readonly MetricSeries[]
}
/** All metrics of this process. */
export interface GatewayMetrics {
  /** Start of counting. */
  readonly since: Date
  /** Current values; gauges that are read are at most ten seconds old. Never rejects. */
  snapshot(): Promise<readonly MetricSnapshot[]>
}
/** Provided by the kernel. */
export const gatewayMetrics = defineService<GatewayMetrics>('gateway.metrics', 'process')
