import { setImmediate as othersFirst } from 'node:timers/promises'
import type { Collection } from './collection/collection.ts'
import type { Reach } from './collection/reach.ts'
import { defineContribution } from './contribution.ts'
import { DefinitionError, type MembersOf, refuseUnknown } from './members.ts'
import { defineService, type ServiceRef } from './service.ts'

/** What a metric measures in, as UCUM writes it: `s`, `By`, `1`, or what is counted in braces, as `{task}`. */
export type MetricUnit = 's' | 'By' | '1' | 'USD' | `{${string}}`

/** What is known of a metric before anything is measured. */
export interface MetricSpec {
  /** OpenTelemetry’s spelling: `gateway.tasks.claims`. Prometheus has it as `gateway_tasks_claims_total`. */
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly description: string
  readonly unit: MetricUnit
  /** Names of the labels, in the order in which values are given. */
  readonly labels: readonly string[]
  /** Upper bounds of a histogram’s buckets, ascending. */
  readonly buckets: readonly number[]
}

/** One value for each label, in their order. Each from a small set: beyond the bound on series what comes is counted together. */
export type LabelValues<L extends readonly string[]> = { readonly [K in keyof L]: string }

/** Only ever grows. */
export interface Counter<L extends readonly string[] = readonly string[]> {
  /** `by` at least 0; what is not is left out. */
  add(by: number, ...labels: LabelValues<L>): void
}
/** Goes up and down. */
export interface Gauge<L extends readonly string[] = readonly string[]> {
  set(value: number, ...labels: LabelValues<L>): void
  /** Forget every series: for what is set anew as a whole. */
  clear(): void
}
/** How often values fell between bounds, and their sum. */
export interface Histogram<L extends readonly string[] = readonly string[]> {
  observe(value: number, ...labels: LabelValues<L>): void
}
interface Instruments<L extends readonly string[]> {
  readonly counter: Counter<L>
  readonly gauge: Gauge<L>
  readonly histogram: Histogram<L>
}

/** A metric: listed in `metrics` of its plugin, named in the `uses` of whoever measures. It resolves to its instrument, for process services too. */
export interface MetricRef<T = unknown> extends ServiceRef<T> {
  readonly metric: MetricSpec
}

/** Seconds; the bounds that the conventions for MCP name, and four below for a gateway that answers in less than their first. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] as const

const NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/
const LABEL = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/
const MAX_LABELS = 5

const METRIC: MembersOf<typeof defineMetric, 1> = { kind: true, description: true, unit: true, labels: true, buckets: true }

/**
 * Declare something to be measured: how often (`counter`), how much there is (`gauge`), how values are spread (`histogram`). The name is
 * `gateway.<plugin id, with _ for ->.<what>`, or one that a convention of OpenTelemetry gives. At most 5 labels, each with few values:
 * never an id. A label called `tenant` is left out unless the gateway is set to show it. `/metrics` and the service `gatewayMetrics` have what was measured.
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

/** Brings gauges up to date before they are read. */
export interface MetricReading {
  /** What it reads, for the log and for `gateway.metrics.unread`. */
  readonly name: string
  /** A few indexed counts, within two seconds; asked for at most once in ten seconds. What fails or dawdles leaves the gauges as they were. */
  read(): Promise<void>
}
/** Read gauges that lie in the store, when somebody asks for them; as `system`, who reaches every tenant. Made once, so that it may remember. */
export const metricReading = defineContribution<MetricReading>('gateway.metric-reading')

/** So long a reading goes from tenant to tenant, calls being served in between; the first one longer, since nothing is known yet. */
const SHARE = { firstMs: 1_500, ms: 200 }

/**
 * For a reading: what `read` found in each tenant that a `throughout` reaches. One tenant after the other, and no more of them at a time than fit in
 * a fifth of a second: the next call goes on where this one ended, and gives the others as they were found last. Make it where the reading is
 * made, as it remembers. Undefined until every tenant has been read once.
 */
export function readThroughout<Doc, T>(
  reach: Reach<Doc>,
  read: (collection: Collection<Doc>) => Promise<T>,
  share: { readonly firstMs: number; readonly ms: number } = SHARE,
): () => Promise<readonly T[] | undefined> {
  /** In the order in which they were read, longest ago first. */
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
      await othersFirst()
      if (performance.now() > until) break
    }
    return found.size < tenants.size ? undefined : [...found.values()]
  }
}

/** As `readThroughout`, for numbers by name: their sums. */
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

/** One series as it stands. */
export interface MetricSeries {
  readonly labels: Readonly<Record<string, string>>
  /** Of a counter or gauge; of a histogram the sum. */
  readonly value: number
  /** Of a histogram: how many values in each bucket, and in the one above all bounds. */
  readonly counts?: readonly number[]
}
/** A metric and all its series. */
export interface MetricSnapshot extends MetricSpec {
  readonly series: readonly MetricSeries[]
}
/** Everything that is measured in this process. */
export interface GatewayMetrics {
  /** When counting began. */
  readonly since: Date
  /** As it stands now, gauges that are read at most ten seconds old. Never rejects. */
  snapshot(): Promise<readonly MetricSnapshot[]>
}
/** Provided by the kernel. */
export const gatewayMetrics = defineService<GatewayMetrics>('gateway.metrics', 'process')
