import { type Collection, Forbidden, HOUR_MS, type Infer, type InTenant, isToolError, type Log, type Reach } from '@gateway/sdk'
import { mapConcurrently } from '@gateway/sdk/bounds'
import { OTHER, type Tally } from '../rules/tally.ts'
import type { countSchema, Dimension } from '../schema.ts'
import { type Tallies, valuesKey } from '../services/tallies.ts'

type Count = Infer<typeof countSchema>
type Counts = InTenant<Count>['collection']

/** Number of concurrent writes, so that other calls are written in between. */
const CONCURRENT_WRITES = 50
/** Limit for a dimension without its own: there are as many tools as the gateway and the tenant have. */
const MAX_TOOLS = 1_000

/** Stores tallies: each value's count in its hour and its day, up to the limit of distinct values per day. */
export class Flush {
  readonly #reach: Reach<Count>
  readonly #log: Log
  readonly #max: Readonly<Record<Dimension, number>>
  readonly #known: Tallies['known']

  constructor(
    reach: Reach<Count>,
    { maxMembers, maxRepos }: { readonly maxMembers: number; readonly maxRepos: number },
    known: Tallies['known'],
    log: Log,
  ) {
    this.#reach = reach
    this.#known = known
    this.#log = log
    this.#max = { type: MAX_TOOLS, tool: MAX_TOOLS, member: maxMembers, repo: maxRepos }
  }

  /** A failed write is logged and dropped: counting twice would be worse than not at all. */
  async store(tenantId: string, tally: Tally): Promise<void> {
    const time = new Date(tally.hour * HOUR_MS).toISOString()
    const [hour, day] = [time.slice(0, 13), time.slice(0, 10)]
    try {
      const counts = this.#reach.of(tenantId)
      const writes: (() => Promise<unknown>)[] = []
      for (const [dimension, value, quantity] of tally.entries()) {
        const as = await this.#admit(counts, tenantId, { dimension, day, value })
        writes.push(() => add(counts, 'hour', hour, dimension, as, quantity))
        writes.push(() => add(counts, 'day', day, dimension, as, quantity))
      }
      await mapConcurrently(writes, CONCURRENT_WRITES, (write) => write())
    } catch (error) {
      // The store refuses counts of a tenant that has ended, and they are not needed.
      if (isToolError(error) && error.code === Forbidden.code) return
      this.#log.warn('usage could not be stored; some calls are not counted', { err: error, tenantId })
    }
  }

  /** Name that a value is counted under. */
  async #admit(
    counts: Counts,
    tenantId: string,
    { dimension, day, value }: { dimension: Dimension; day: string; value: string },
  ): Promise<string> {
    const key = valuesKey(tenantId, day, dimension)
    let known = this.#known.refresh(key)
    if (!known) {
      const { items } = await counts.find({ where: { span: 'day', dimension, bucket: day }, limit: this.#max[dimension] })
      known = new Set(items.map((count) => count.value))
      this.#known.set(key, known)
    }
    if (known.has(value)) return value
    if (known.size >= this.#max[dimension]) return OTHER
    known.add(value)
    return value
  }
}

function add(
  counts: Collection<Count>,
  span: Count['span'],
  bucket: string,
  dimension: Dimension,
  value: string,
  quantity: number,
): Promise<Count> {
  const count = { countId: `${bucket} ${dimension} ${value}`, span, bucket, dimension, value, quantity }
  return counts.upsert(count, { inc: { quantity } })
}
